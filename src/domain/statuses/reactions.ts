import { eq, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { emojiReactions, favourites, notifications, statuses } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Changes } from '../changes'
import { notify } from '../notify'
import type { VisibleStatus } from '../policy/visibility'
import { roomForReaction } from './find-reactions'

export interface NewReaction {
  readonly id: number
  readonly by: AccountId
  readonly status: VisibleStatus
  /** A Unicode emoji, a shortcode of ours, or `shortcode@host`. */
  readonly name: string
  readonly emoji: EmojiSnapshot | null
  /** Of the activity of another server. */
  readonly uri: string | null
}

/**
 * Adds a reaction, where there is none of this kind yet and room for it, with its count.
 *
 * A local author is notified as of a favourite: that is the sign of favour all clients can show, and how Mastodon
 * shows reactions of others.
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
      .set({ reactions: oneMore(name, picture) })
      .where(
        sql`${statuses.id} = ${status.id} and exists (select 1 from ${emojiReactions} r where r.id = ${id})`,
      ),
  )
  if (status.local)
    changes.add(notify(ctx, [{ to: status.accountId, from: by, type: 'favourite', statusId: status.id }]))
}

function oneMore(name: string, picture: string | null): SQL {
  return sql`(select json_group_array(json(kind)) from (
    select case when value ->> 'name' = ${name} then json_set(value, '$.count', (value ->> 'count') + 1) else value end as kind
      from json_each(statuses.reactions)
    union all
    select json_object('name', ${name}, 'count', 1, 'emoji', json(${picture}))
      where not exists (select 1 from json_each(statuses.reactions) where value ->> 'name' = ${name})))`
}

export interface ReactionMark {
  readonly id: number
  readonly statusId: StatusId
}

/** Adds that the reaction `mark` goes, with its count, and with its notification unless another mark keeps that. */
export function removeReaction(
  ctx: Ctx,
  changes: Changes,
  { mark, by }: { readonly mark: ReactionMark; readonly by: AccountId },
): void {
  const { id, statusId } = mark
  const about = sql`status_id = ${statusId} and account_id = ${by}`
  changes.add(
    uncountReactions(ctx, by, sql`select ${id}`),
    ctx.db.delete(emojiReactions).where(eq(emojiReactions.id, id)),
    ctx.db.delete(notifications).where(sql`${notifications.statusId} = ${statusId}
      and ${notifications.type} = 'favourite' and ${notifications.fromAccountId} = ${by}
      and not exists (select 1 from ${emojiReactions} where ${about})
      and not exists (select 1 from ${favourites} where ${about})`),
  )
}

/** Takes the reactions of `account` with the ids `part` selects out of the counts. Before the rows go. */
export function uncountReactions(ctx: Ctx, account: AccountId, part: SQL) {
  const gone = sql`(select count(*) from emoji_reactions r where r.status_id = statuses.id
    and r.account_id = ${account} and r.name = kind.value ->> 'name' and r.id in (${part}))`
  return ctx.db
    .update(statuses)
    .set({
      reactions: sql`(select json_group_array(json_set(value, '$.count', rest)) from (
        select kind.value as value, (kind.value ->> 'count') - ${gone} as rest from json_each(statuses.reactions) kind)
        where rest > 0)`,
    })
    .where(sql`${statuses.id} in (select status_id from emoji_reactions where id in (${part}))`)
}
