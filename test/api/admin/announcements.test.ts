import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminAnnouncement } from '../../../src/contract/entities/admin/instance'
import { Announcement } from '../../../src/contract/entities/announcement'
import { Status } from '../../../src/contract/entities/status'
import { announcements } from '../../../src/db/schema'
import { publishAnnouncements } from '../../../src/domain/announcements/change'
import { as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { givenOwner } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/announcements'
const day = 86_400_000
const later = (days: number) => new Date(clock.now().getTime() + days * day).toISOString()

describe('announcements for administrators', () => {
  let owner: TestAccount
  let reader: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
    reader = await given.account()
  })
  afterEach(async () => {
    await context().db.delete(announcements)
  })

  async function create(fields: Readonly<Record<string, unknown>> = {}) {
    return AdminAnnouncement.parse((await as(owner).post(path, { text: 'Downtime', ...fields })).body)
  }
  async function shown() {
    const { body } = await as(reader).get('/api/v1/announcements')
    return z.array(z.object({ id: z.string(), content: z.string(), read: z.boolean() })).parse(body)
  }

  it('publishes announcements at once, changes them, and keeps them read', async () => {
    const made = await create({ text: 'Downtime <tonight>' })
    expect(made).toMatchObject({ state: 'published', text: 'Downtime <tonight>' })
    expect(await shown()).toMatchObject([
      { id: made.id, content: '<p>Downtime &lt;tonight&gt;</p>', read: false },
    ])
    await as(reader).post(`/api/v1/announcements/${made.id}/dismiss`)
    const changed = await as(owner).patch(`${path}/${made.id}`, { text: 'Downtime at #noon' })
    expect(changed.status).toBe(200)
    const [announcement] = await shown()
    expect(announcement).toMatchObject({ id: made.id, read: true })
    expect(announcement?.content).toContain('/tags/noon')
  })

  it('keeps drafts until they are published, and again when unpublished', async () => {
    const { id, state, published_at } = await create({ published: false })
    expect([state, published_at, await shown()]).toEqual(['draft', null, []])
    await publishAnnouncements(context())
    expect(await shown()).toEqual([])
    expect((await as(owner).post(`${path}/${id}/publish`)).body).toMatchObject({ state: 'published' })
    expect(await shown()).toMatchObject([{ id }])
    expect((await as(owner).post(`${path}/${id}/publish`)).status).toBe(200)
    expect((await as(owner).post(`${path}/${id}/unpublish`)).body).toMatchObject({ state: 'draft' })
    expect(await shown()).toEqual([])
  })

  it('schedules announcements, moves them, and publishes them on time', async () => {
    const { id, state } = await create({ publish_at: later(1) })
    expect(state).toBe('scheduled')
    const moved = await as(owner).patch(`${path}/${id}`, { publish_at: later(2) })
    expect(moved.body).toMatchObject({ state: 'scheduled', published_at: later(2) })
    clock.advance(day)
    expect(await shown()).toEqual([])
    clock.advance(day)
    await publishAnnouncements(context())
    expect(await shown()).toMatchObject([{ id }])
    expect((await as(owner).patch(`${path}/${id}`, { publish_at: later(1) })).status).toBe(422)
  })

  it('shows announcements for whole days, to the last one, and removes times', async () => {
    const today = clock.now().toISOString().slice(0, 10)
    const { id } = await create({ starts_at: today, ends_at: today, all_day: true })
    expect(await shown()).toMatchObject([{ id }])
    clock.advance(day)
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ state: 'over', all_day: true })
    const changed = await as(owner).patch(`${path}/${id}`, { starts_at: '', ends_at: null, all_day: false })
    expect(changed.body).toMatchObject({ starts_at: null, ends_at: null, state: 'published' })
  })

  it('lists announcements page by page with every state, in one round trip', async () => {
    const made = [(await create()).id, (await create({ published: false })).id, (await create()).id]
    const answer = await as(owner).get(`${path}?limit=2`)
    expect(answer.body).toMatchObject([{ id: made[2] }, { id: made[1], state: 'draft' }])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    const next = answer.links.next
    if (next === undefined) throw new Error('There is no next page')
    expect((await as(owner).get(next)).body).toMatchObject([{ id: made[0] }])
  })

  it('deletes an announcement once', async () => {
    const { id } = await create()
    expect((await as(owner).delete(`${path}/${id}`)).status).toBe(200)
    expect(await shown()).toEqual([])
    for (const answer of [
      await as(owner).delete(`${path}/${id}`),
      await as(owner).post(`${path}/${id}/publish`),
      await as(owner).patch(`${path}/${id}`, { text: 'x' }),
    ])
      expect(answer.status).toBe(404)
  })

  it.each([
    { text: ' ' },
    { text: 'x'.repeat(10_001) },
    { starts_at: '2026-12-24' },
    { starts_at: '2026-12-24', ends_at: '2026-12-23' },
    { all_day: true },
    { publish_at: 'soon' },
  ])('refuses %j', async (fields) => {
    expect((await as(owner).post(path, { text: 'x', ...fields })).status).toBe(422)
    const { id } = await create({ published: false })
    expect((await as(owner).patch(`${path}/${id}`, fields)).status).toBe(422)
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ text: 'Downtime', starts_at: null })
  })

  it('logs every change', async () => {
    const { id } = await create()
    await as(owner).patch(`${path}/${id}`, { text: 'Uptime' })
    await as(owner).post(`${path}/${id}/unpublish`)
    await as(owner).delete(`${path}/${id}`)
    const log = await as(owner).get(
      `/api/fieldfare/v1/admin/audit_log?target_type=announcement&target_id=${id}`,
    )
    expect(log.body).toMatchObject([
      { action: 'delete', before: { text: 'Uptime' } },
      { action: 'unpublish', after: { published_at: null } },
      { action: 'update', before: { text: 'Downtime' }, after: { text: 'Uptime' } },
      { action: 'create' },
    ])
  })

  it('renders the text like that of a post, with what it names', async () => {
    const [alice, author, hidden] = [await given.account(), await given.account(), await given.account()]
    const open = Status.parse((await as(author).post('/api/v1/statuses', { status: 'Come all.' })).body)
    const closed = Status.parse(
      (await as(hidden).post('/api/v1/statuses', { status: 'Friends only.', visibility: 'private' })).body,
    )
    const tag = freshName('feast')
    await create({ text: `Ask @${alice.username}: ${open.url} ${closed.url} #${tag}\nSoon & well.` })
    const viewer = await given.account()
    await relation.follow(viewer, hidden)
    const { body } = await as(viewer).get('/api/v1/announcements')
    const [found] = z.array(Announcement).parse(body)
    expect(found).toMatchObject({
      mentions: [{ id: String(alice.id), username: alice.username, acct: alice.username }],
      statuses: [{ id: open.id, url: open.url }],
      tags: [{ name: tag }],
    })
    expect(found?.content).toMatch(/^<p>Ask <span class="h-card".*<br \/>Soon &amp; well\.<\/p>$/)
  })

  it('shows an announcement from its publication until its subject is over', async () => {
    await create({ publish_at: later(1), starts_at: later(2), ends_at: later(3) })
    const steps: number[] = []
    for (const _ of [0, 1, 2, 3]) {
      steps.push((await shown()).length)
      clock.advance(day)
    }
    expect(steps).toEqual([0, 1, 1, 0])
  })
})
