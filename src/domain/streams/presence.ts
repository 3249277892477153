import { eq } from 'drizzle-orm'
import { heardTopics, presences } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

/** Notes which streams of their own somebody listens to; null: they are not here. */
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

/** Notes whether anybody listens to a shared stream. */
export async function noteTopic(ctx: Ctx, channel: string, isHeard: boolean): Promise<void> {
  const statement = isHeard
    ? ctx.db.insert(heardTopics).values({ channel }).onConflictDoNothing()
    : ctx.db.delete(heardTopics).where(eq(heardTopics.channel, channel))
  await commit(ctx, new Changes().add(statement))
}
