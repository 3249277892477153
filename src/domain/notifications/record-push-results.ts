import { sql } from 'drizzle-orm'
import { pushSubscriptions } from '../../db/schema'
import { inList } from '../../db/sql'
import type { PushSubscriptionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** A subscription is deleted after this many consecutive failures. */
export const mostFailures = 10

/** Outcomes of pushes by subscription. */
export interface PushResults {
  /** Successful after failures. */
  readonly recovered: readonly PushSubscriptionId[]
  readonly refused: readonly PushSubscriptionId[]
  /** No longer known to the push service. */
  readonly gone: readonly PushSubscriptionId[]
}

/** Deletes subscriptions that are gone or failed too often and counts other failures. Writes nothing without a change. */
export async function recordPushResults(ctx: Ctx, { recovered, refused, gone }: PushResults): Promise<void> {
  const { id, failures } = pushSubscriptions
  const changes = new Changes()
  const gaveUp = sql`(${inList(id, refused)} and ${failures} >= ${mostFailures - 1})`
  if (gone.length + refused.length > 0)
    changes.add(ctx.db.delete(pushSubscriptions).where(sql`${inList(id, gone)} or ${gaveUp}`))
  if (refused.length > 0)
    changes.add(
      ctx.db
        .update(pushSubscriptions)
        .set({ failures: sql`${failures} + 1` })
        .where(inList(id, refused)),
    )
  if (recovered.length > 0)
    changes.add(ctx.db.update(pushSubscriptions).set({ failures: 0 }).where(inList(id, recovered)))
  await commit(ctx, changes)
}
