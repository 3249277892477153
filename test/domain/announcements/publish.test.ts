import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { customEmojis } from '../../../src/db/schema'
import { addAnnouncement } from '../../../src/domain/announcements/add'
import { publishAnnouncements, removeAnnouncement } from '../../../src/domain/announcements/change'
import { anonymousViewer } from '../../../src/domain/core/viewer'
import { operator } from '../../../src/domain/policy/permissions'
import { loadAnnouncements } from '../../../src/view/load/announcements'
import { presentReactionEvent } from '../../../src/view/present/announcement'
import { as } from '../../support/as'
import { freshName, given } from '../../support/given'
import { announced, removeAnnounced } from '../../support/given-announcement'
import { listening } from '../../support/given-filter'
import { clock, context } from '../../support/test-app'

const start = clock.now()
const minute = 60_000
const made: number[] = []
afterEach(async () => {
  clock.set(start)
  for (const id of made.splice(0)) await removeAnnouncement(context(), operator, id)
})

const draft = { startsAt: null, endsAt: null, allDay: false, publishAt: null }
const inMinutes = (minutes: number) => new Date(start.getTime() + minutes * minute)

async function add(more: Partial<Parameters<typeof addAnnouncement>[2]> = {}, ctx = context()) {
  const id = await addAnnouncement(ctx, operator, { ...draft, text: freshName('news'), ...more })
  made.push(id)
  return id
}

describe('announcements on streams', () => {
  it('sends an announcement to connected clients at once, and its end', async () => {
    const { published, options } = listening()
    const ctx = context(options.overrides)
    const id = await add({}, ctx)
    expect(published).toEqual([{ kind: 'announcement.published', announcementId: id }])
    await removeAnnouncement(ctx, operator, id)
    made.pop()
    expect(published.at(-1)).toEqual({ kind: 'announcement.removed', announcementId: id })
    await expect(removeAnnouncement(ctx, operator, id)).rejects.toThrow('Record not found')
    await publishAnnouncements(ctx)
    expect(published).toHaveLength(2)
  })

  it('sends a scheduled announcement on time, once, however often cron runs', async () => {
    const { published, options } = listening()
    const ctx = context(options.overrides)
    const [id] = [await add({ publishAt: inMinutes(10) }, ctx), await add({ publishAt: inMinutes(90) }, ctx)]
    await publishAnnouncements(ctx)
    expect(published).toEqual([])
    clock.set(inMinutes(11))
    await Promise.all([publishAnnouncements(ctx), publishAnnouncements(ctx)])
    await publishAnnouncements(ctx)
    expect(published).toEqual([{ kind: 'announcement.published', announcementId: id }])
  })

  it('sends nothing of an announcement that ended before cron ran', async () => {
    const { published, options } = listening()
    const times = { startsAt: inMinutes(1), endsAt: inMinutes(5), publishAt: inMinutes(2) }
    await add(times, context(options.overrides))
    clock.set(inMinutes(6))
    await publishAnnouncements(context(options.overrides))
    expect(published).toEqual([])
  })

  it('sends added and removed reactions, and none that change nothing', async () => {
    const alice = await given.account()
    const id = await announced(freshName('news'))
    const { published, options } = listening()
    const path = `/api/v1/announcements/${id}/reactions/${encodeURIComponent('🎉')}`
    for (const _ of [1, 2]) await as(alice).put(path, {}, options)
    const event = { kind: 'announcement.reacted', announcementId: Number(id), name: '🎉' }
    expect(published).toEqual([event])
    await as(alice).delete(path, {}, options)
    expect((await as(alice).delete(path, {}, options)).status).toBe(404)
    expect(published).toEqual([event, event])
    await removeAnnounced(id)
  })
})

describe('an announcement to all', () => {
  async function facts(id: number) {
    const [found] = await execute(
      context().db,
      loadAnnouncements(context(), anonymousViewer, sql`a.id = ${id}`),
    )
    if (found === undefined) throw new Error('it is not there')
    return found
  }

  it('sends the current count of a reaction, with the picture of a custom emoji', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { db, ids, config } = context()
    const shortcode = freshName('wren')
    await db
      .insert(customEmojis)
      .values({ id: ids.next(), shortcode, image: { key: 'wren.png' }, createdAt: clock.now() })
    const id = await add()
    for (const person of [alice, bob])
      await as(person).put(`/api/v1/announcements/${id}/reactions/${shortcode}`)
    const url = expect.stringContaining('wren.png')
    expect(presentReactionEvent(config, await facts(id), shortcode)).toEqual({
      name: shortcode,
      count: 2,
      announcement_id: String(id),
      url,
      static_url: url,
    })
    expect(presentReactionEvent(config, await facts(id), '🎉')).toEqual({
      name: '🎉',
      count: 0,
      announcement_id: String(id),
    })
  })
})
