import { Hono } from 'hono'
import * as z from 'zod'
import { Id, Instant } from '../contract/scalars'
import { execute } from '../db/query'
import { addAnnouncement, removeAnnouncement } from '../domain/announcements/add'
import { allAnnouncements } from '../domain/announcements/find'
import type { AppEnv } from '../platform/app-env'
import { readInput } from './input'

const Added = z.object({
  text: z.string().trim().min(1).max(10_000),
  starts_at: Instant,
  ends_at: Instant,
  all_day: z.boolean().default(false),
  publish_at: Instant,
})
const Named = z.object({ id: Id })

/** Announcement routes for operators without a panel. Mounted behind the set-up token. */
export function announcementRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/setup/announcements/list', async (c) => {
    const all = await execute(c.get('ctx').db, allAnnouncements(c.get('ctx')))
    return c.json({
      announcements: all.map(({ id, text, startsAt, endsAt, allDay, publishedAt }) => ({
        id: String(id),
        text,
        starts_at: startsAt,
        ends_at: endsAt,
        all_day: allDay,
        published_at: publishedAt,
      })),
    })
  })
  app.post('/setup/announcements/add', async (c) => {
    const { text, starts_at, ends_at, all_day, publish_at } = await readInput(c, Added)
    const id = await addAnnouncement(c.get('ctx'), {
      text,
      startsAt: starts_at ?? null,
      endsAt: ends_at ?? null,
      allDay: all_day,
      publishAt: publish_at ?? null,
    })
    return c.json({ id: String(id) })
  })
  app.post('/setup/announcements/remove', async (c) => {
    const { id } = await readInput(c, Named)
    await removeAnnouncement(c.get('ctx'), id)
    return c.json({})
  })
  return app
}
