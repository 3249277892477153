import { eq, type SQL, sql } from 'drizzle-orm'
import { emojiReactions, favourites, statuses } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import type { VisibleStatus } from '../policy/visibility'
import { withdrawNotification } from '../statuses/withdraw-notification'
import { roomForReaction } from './find-interaction'

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

/** JSON of a status's reactions with one more of this kind; `picture` is the custom emoji as JSON. */
function oneMoreReaction(name: string, picture: string | null): SQL {
  return sql`(select json_group_array(json(kind)) from (
    select case when value ->> 'name' = ${name} then json_set(value, '$.count', (value ->> 'count') + 1) else value end as kind
      from json_each(statuses.reactions)
    union all
    select json_object('name', ${name}, 'count', 1, 'emoji', json(${picture}))
      where not exists (select 1 from json_each(statuses.reactions) where value ->> 'name' = ${name})))`
}

/** Subtracts the reactions with the ids `part` selects from the counts. Before the rows are deleted. */
export function uncountReactions(ctx: Ctx, part: SQL) {
  const gone = sql`coalesce((select gone.count from (
      select r.status_id, r.name, count(*) as count from emoji_reactions r where r.id in (${part}) group by 1, 2) gone
    where gone.status_id = statuses.id and gone.name = kind.value ->> 'name'), 0)`
  return ctx.db
    .update(statuses)
    .set({
      reactions: sql`(select json_group_array(json_set(value, '$.count', rest)) from (
        select kind.value as value, (kind.value ->> 'count') - ${gone} as rest from json_each(statuses.reactions) kind)
        where rest > 0)`,
    })
    .where(sql`${statuses.id} in (select status_id from emoji_reactions where id in (${part}))`)
}
