import { eq } from 'drizzle-orm'
import { activeTopics, presences } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Stores the channels an account is subscribed to; null when it has no connections. */
export async function notePresence(
  ctx: Ctx,
  accountId: AccountId,
  channels: readonly string[] | null,
): Promise<void> {
  const changes = new Changes()
  if (channels === null) changes.add(ctx.db.delete(presences).where(eq(presences.accountId, accountId)))
  else
    changes.add(
      ctx.db
        .insert(presences)
        .values({ accountId, channels })
        .onConflictDoUpdate({ target: presences.accountId, set: { channels } }),
    )
  await commit(ctx, changes)
}

/** Stores whether a shared stream has subscribers. */
export async function noteTopic(ctx: Ctx, channel: string, isActive: boolean): Promise<void> {
  const statement = isActive
    ? ctx.db.insert(activeTopics).values({ channel }).onConflictDoNothing()
    : ctx.db.delete(activeTopics).where(eq(activeTopics.channel, channel))
  await commit(ctx, new Changes().add(statement))
}
