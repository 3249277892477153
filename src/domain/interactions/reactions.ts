import { eq, sql } from 'drizzle-orm'
import { emojiReactions, favourites, statuses } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import type { VisibleStatus } from '../policy/visibility'
import { withdrawNotification } from '../statuses/withdraw-notification'
import { roomForReaction } from './find-reactions'
import { oneMoreReaction, uncountReactions } from './reaction-counts'

export interface NewReaction {
  readonly id: number
  readonly by: AccountId
  readonly status: VisibleStatus
  /** A Unicode emoji, a local shortcode, or `shortcode@host`. */
  readonly name: string
  readonly emoji: EmojiSnapshot | null
  /** Id of the remote activity; null for a local reaction. */
  readonly uri: string | null
}

/**
 * Adds a reaction with its count, where there is none of this kind yet and room for it.
 *
 * A local author is notified as of a favourite: all clients can show that, and Mastodon shows remote reactions so.
 */
export function addReaction(ctx: Ctx, changes: Changes, reaction: NewReaction): void {
  const { id, by, status, name, emoji, uri } = reaction
  const picture = emoji === null ? null : JSON.stringify(emoji)
  changes.add(
    ctx.db.run(sql`insert into ${emojiReactions} (id, account_id, status_id, name, emoji, uri)
      select ${id}, ${by}, ${status.id}, ${name}, ${picture}, ${uri}
      where ${roomForReaction(status.id, by, name)}
      on conflict do nothing`),
    // Only the statement above can have made this id: the count moves exactly when it did.
    ctx.db
      .update(statuses)
      .set({ reactions: oneMoreReaction(name, picture) })
      .where(
        sql`${statuses.id} = ${status.id} and exists (select 1 from ${emojiReactions} r where r.id = ${id})`,
      ),
  )
  if (status.local)
    notify(ctx, changes, [{ to: status.accountId, from: by, type: 'favourite', statusId: status.id }])
}

export interface ReactionRow {
  readonly id: number
  readonly statusId: StatusId
}

/** Deletes the reaction `mark` with its count, and with its notification unless another interaction keeps that. */
export function removeReaction(
  ctx: Ctx,
  changes: Changes,
  { mark, by }: { readonly mark: ReactionRow; readonly by: AccountId },
): void {
  const { id, statusId } = mark
  const about = sql`status_id = ${statusId} and account_id = ${by}`
  changes.add(
    uncountReactions(ctx, sql`select ${id}`),
    ctx.db.delete(emojiReactions).where(eq(emojiReactions.id, id)),
    withdrawNotification(
      ctx,
      { from: by, type: 'favourite', statusId },
      sql`exists (select 1 from ${emojiReactions} where ${about})
        or exists (select 1 from ${favourites} where ${about})`,
    ),
  )
}
