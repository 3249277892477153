import { sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { announcementMutes } from '../../db/schema'
import { NotFound } from '../../errors'
import { Changes, commit } from '../changes'
import type { Viewer } from '../viewer'
import { isCurrent } from './find'

/** Marks an announcement as read by the viewer. `NotFound` for one that is not shown now. */
export async function dismissAnnouncement(ctx: Ctx, viewer: Viewer, id: number): Promise<void> {
  const shown = sql`exists (select 1 from announcements a where a.id = ${id} and ${isCurrent(ctx.clock.now())})`
  const changes = new Changes().require(shown, new NotFound()).add(
    ctx.db
      .insert(announcementMutes)
      .values({ accountId: viewer.id, announcementId: id })
      .onConflictDoNothing({ target: [announcementMutes.accountId, announcementMutes.announcementId] }),
  )
  await commit(ctx, changes)
}
