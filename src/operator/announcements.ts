import { Hono } from 'hono'
import * as z from 'zod'
import { Id, Instant } from '../contract/scalars'
import { execute } from '../db/query'
import { addAnnouncement } from '../domain/announcements/add'
import {
  removeAnnouncement,
  setAnnouncementPublished,
  updateAnnouncement,
} from '../domain/announcements/change'
import { allAnnouncements } from '../domain/announcements/find'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Added = z.object({
  text: z.string(),
  starts_at: Instant,
  ends_at: Instant,
  all_day: z.boolean().default(false),
  publish_at: Instant,
  draft: z.boolean().default(false),
})
const Changed = z.object({ id: Id, text: z.string() })
const Named = z.object({ id: Id })

/** Announcement routes for operators without a panel. Mounted behind the set-up token. */
export function announcementRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
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
    const { text, starts_at, ends_at, all_day, publish_at, draft } = await readInput(c, Added)
    const id = await addAnnouncement(c.get('ctx'), c.get('moderator'), {
      text,
      startsAt: starts_at ?? null,
      endsAt: ends_at ?? null,
      allDay: all_day,
      publishAt: publish_at ?? null,
      isDraft: draft,
    })
    return c.json({ id: String(id) })
  })
  app.post('/setup/announcements/remove', async (c) => {
    const { id } = await readInput(c, Named)
    await removeAnnouncement(c.get('ctx'), c.get('moderator'), id)
    return c.json({})
  })
  app.post('/setup/announcements/text', async (c) => {
    const { id, text } = await readInput(c, Changed)
    await updateAnnouncement(c.get('ctx'), c.get('moderator'), id, { text })
    return c.json({})
  })
  for (const verb of ['publish', 'unpublish'] as const)
    app.post(`/setup/announcements/${verb}`, async (c) => {
      const { id } = await readInput(c, Named)
      await setAnnouncementPublished(c.get('ctx'), c.get('moderator'), id, verb === 'publish')
      return c.json({})
    })
  return app
}
