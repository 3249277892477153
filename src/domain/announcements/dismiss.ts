import { sql } from 'drizzle-orm'
import { announcementMutes } from '../../db/schema'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { isCurrent } from './find'

/** Marks an announcement as read by the viewer. `NotFound` unless it is current. */
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
