import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Announcement } from '../../src/contract/entities/announcement'
import { Status } from '../../src/contract/entities/status'
import { as } from '../support/as'
import { freshName, given } from '../support/given'
import { announced, removeAnnounced } from '../support/given-announcement'
import { relation } from '../support/given-relationships'
import { clock } from '../support/test-app'

const setup = as('a setup token for tests')
const later = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)

async function shown(text: string) {
  const { body } = await as(await given.account()).get('/api/v1/announcements')
  return z
    .array(Announcement)
    .parse(body)
    .find(({ content }) => content.includes(text))
}

describe('the set-up routes about announcements', () => {
  it('refuse members', async () => {
    const alice = await given.account()
    for (const what of ['list', 'add', 'remove'])
      expect((await as(alice).post(`/setup/announcements/${what}`, { text: 'x' })).status, what).toBe(403)
  })

  it('add, list and remove', async () => {
    const text = freshName('news')
    const id = await announced(text)
    const list = await setup.post('/setup/announcements/list')
    expect(list.body).toMatchObject({
      announcements: expect.arrayContaining([expect.objectContaining({ id, text, ends_at: null })]),
    })
    expect((await shown(text))?.id).toBe(id)
    expect(await setup.post('/setup/announcements/remove', { id })).toMatchObject({ status: 200 })
    expect(await shown(text)).toBeUndefined()
    expect((await setup.post('/setup/announcements/remove', { id })).status).toBe(404)
  })

  it('render the text as that of a post, with what it names', async () => {
    const [alice, author, hidden] = [await given.account(), await given.account(), await given.account()]
    const open = Status.parse((await as(author).post('/api/v1/statuses', { status: 'Come all.' })).body)
    const closed = Status.parse(
      (await as(hidden).post('/api/v1/statuses', { status: 'Friends only.', visibility: 'private' })).body,
    )
    const tag = freshName('feast')
    const id = await announced(`Ask @${alice.username}: ${open.url} ${closed.url} #${tag}\nSoon & well.`)
    const viewer = await given.account()
    await relation.follow(viewer, hidden)
    const { body } = await as(viewer).get('/api/v1/announcements')
    const found = z
      .array(Announcement)
      .parse(body)
      .find((one) => one.id === id)
    expect(found).toMatchObject({
      mentions: [{ id: String(alice.id), username: alice.username, acct: alice.username }],
      statuses: [{ id: open.id, url: open.url }],
      tags: [{ name: tag }],
    })
    expect(found?.content).toMatch(/^<p>Ask <span class="h-card".*<br \/>Soon &amp; well\.<\/p>$/)
    await removeAnnounced(id)
  })

  it('keep an announcement from when it is published until what it is about is over', async () => {
    const text = freshName('feast')
    const id = await announced(text, {
      publish_at: later(1).toISOString(),
      starts_at: later(2).toISOString(),
      ends_at: later(3).toISOString(),
    })
    const steps: boolean[] = []
    for (const _ of [0, 1, 2, 3]) {
      steps.push((await shown(text)) !== undefined)
      clock.advance(86_400_000)
    }
    expect(steps).toEqual([false, true, true, false])
    await removeAnnounced(id)
  })

  it('keep one about whole days until the end of the last', async () => {
    const text = freshName('fair')
    const today = clock.now().toISOString().slice(0, 10)
    const id = await announced(text, { starts_at: today, ends_at: today, all_day: true })
    expect(await shown(text)).toMatchObject({ all_day: true, starts_at: `${today}T00:00:00.000Z` })
    clock.advance(86_400_000)
    expect(await shown(text)).toBeUndefined()
    await removeAnnounced(id)
  })

  it.each([
    ['no text', { text: ' ' }],
    ['a beginning without an end', { starts_at: '2026-12-24' }],
    ['an end before the beginning', { starts_at: '2026-12-24', ends_at: '2026-12-23' }],
    ['whole days without days', { all_day: true }],
    ['a time that is none', { publish_at: 'soon' }],
  ])('refuse %s', async (_, input) => {
    const answer = await setup.post('/setup/announcements/add', { text: 'x', ...input })
    expect(answer.status).toBe(422)
  })
})
