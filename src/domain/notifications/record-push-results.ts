import { sql } from 'drizzle-orm'
import { pushSubscriptions } from '../../db/schema'
import { inList } from '../../db/sql'
import type { PushSubscriptionId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

/** A subscription that is refused so often in a row is given up. */
export const mostFailures = 10

/** What some subscriptions came to. */
export interface PushResults {
  /** They work again. */
  readonly recovered: readonly PushSubscriptionId[]
  readonly refused: readonly PushSubscriptionId[]
  /** The push service does not know them any more. */
  readonly gone: readonly PushSubscriptionId[]
}

/** Removes what is gone or was refused too often, and counts the others. Nothing is written where all is well. */
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
