import { and, eq, type SQL, sql } from 'drizzle-orm'
import { reactionLimits } from '../../contract/limits'
import { first, type Query, rows } from '../../db/query'
import { emojiReactions } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { originalOf } from '../statuses/find'

export interface OwnReaction {
  readonly id: number
  readonly statusId: StatusId
  readonly name: string
  readonly emoji: EmojiSnapshot | null
}

/** Reactions of `by` to the status `id`, or to its original. One statement. */
export function reactionsBy(ctx: Ctx, by: AccountId, status: StatusId): Query<OwnReaction[]> {
  const { id, statusId, name, emoji, accountId } = emojiReactions
  return rows(
    ctx.db
      .select({ id, statusId, name, emoji })
      .from(emojiReactions)
      .where(and(eq(accountId, by), eq(statusId, originalOf(status)))),
  )
}

/** Reaction with this id. One statement. */
export function reactionWithId(ctx: Ctx, id: number): Query<Pick<OwnReaction, 'name' | 'emoji'> | null> {
  const { name, emoji } = emojiReactions
  return first(ctx.db.select({ name, emoji }).from(emojiReactions).where(eq(emojiReactions.id, id)))
}

/** Condition for an insert: the status has room for another reaction of this kind by this account. */
export function roomForReaction(status: StatusId, by: AccountId, name: string): SQL {
  return sql`exists (select 1 from statuses s where s.id = ${status}
    and (select count(*) from emoji_reactions r where r.status_id = s.id and r.account_id = ${by})
      < ${reactionLimits.perAccount}
    and (json_array_length(s.reactions) < ${reactionLimits.kinds}
      or exists (select 1 from json_each(s.reactions) kind where kind.value ->> 'name' = ${name})))`
}

/**
 * Reactions with a custom emoji of `domain` or a subdomain, as a selection of ids: all of them on `count` statuses
 * that the accounts `authors` selects reacted to. Accounts of other servers may have reused the emoji there.
 */
export function picturedReactions(authors: SQL, domain: string, count: number): SQL {
  const host = sql`substr(name, instr(name, '@') + 1)`
  const pictured = sql`emoji is not null
    and (${host} = ${domain} or substr(${host}, -${domain.length + 1}) = ${`.${domain}`})`
  return sql`select id from emoji_reactions where ${pictured} and status_id in (
    select distinct theirs.status_id from (${authors}) author
      cross join emoji_reactions theirs on theirs.account_id = author.id where ${pictured} ${limitTo(count)})`
}
