import { eq, sql } from 'drizzle-orm'
import { execute, rows } from '../../db/query'
import { announcements } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { isCurrent } from './find'

const maxPublishedPerRun = 3

/** Condition: an announcement is due and not yet published. */
export const hasDueAnnouncements = ({ clock }: Ctx) =>
  sql`exists (select 1 from announcements a where a.told_at is null and ${isCurrent(clock.now())})`

/**
 * Publishes due announcements to connected users. Each is published once: by the run that marks it as published.
 *
 * An announcement that was over before any run saw it is not published.
 */
export async function publishAnnouncements(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const due = ctx.db
    .select({ id: sql<number>`a.id`.as('id') })
    .from(sql`announcements a`)
    .where(sql`a.told_at is null and ${isCurrent(now)}`)
    .orderBy(sql`a.published_at`)
    .limit(maxPublishedPerRun)
  for (const { id } of await execute(ctx.db, rows(due))) {
    const untold = sql`exists (select 1 from announcements where id = ${id} and told_at is null)`
    const changes = new Changes()
      .require(untold, new Conflict('told_already'))
      .add(ctx.db.update(announcements).set({ notifiedAt: now }).where(eq(announcements.id, id)))
      .publish({ kind: 'announcement.published', announcementId: id })
    try {
      await commit(ctx, changes)
    } catch (failure) {
      // Another run was faster, or the announcement was deleted.
      if (!(failure instanceof Conflict)) throw failure
    }
  }
}
