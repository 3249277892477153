import { isNull, sql } from 'drizzle-orm'
import { inboxes } from '../../db/schema'
import { inList } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Leaves inboxes out of later deliveries, until their server makes contact (`touchInstance`). */
export async function markUnreachable(ctx: Ctx, urls: readonly string[]): Promise<void> {
  const mark = ctx.db
    .update(inboxes)
    .set({ unreachableSince: ctx.clock.now() })
    .where(sql`${inList(inboxes.url, urls)} and ${isNull(inboxes.unreachableSince)}`)
  await commit(ctx, new Changes().add(mark))
}
