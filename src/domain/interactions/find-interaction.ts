import { and, eq, type SQL, sql } from 'drizzle-orm'
import { reactionLimits } from '../../contract/limits'
import { both, first, limitTo, map, type Query, rows } from '../../db/query'
import { emojiReactions } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { selectBlockByUri } from '../policy/block-predicates'
import { originalOf } from '../statuses/find'

/** Interaction by a remote account, found by the id of its activity; `username` is that of the local target. */
export interface FoundInteraction {
  readonly kind: 'follow' | 'block' | 'reblog' | 'favourite' | 'reaction'
  readonly username: string
}

/** Latest interactions of an account that are searched: few servers undo by id alone, and those do it soon. */
const latest = 200

/** Interaction of `actor` with this id. Only the actor's own rows are searched. */
export function findInteractionByUri(
  ctx: Ctx,
  actor: AccountId,
  uri: string,
): Query<FoundInteraction | null> {
  const tie = (kind: string, table: string) => sql`select ${kind} as kind, target_account_id as target
    from ${sql.raw(table)} where account_id = ${actor} and uri = ${uri}`
  const mark = (kind: string, table: string) => sql`select ${kind} as kind, null as target from (
    select uri from ${sql.raw(table)} where account_id = ${actor} order by id desc ${limitTo(latest)}) where uri = ${uri}`
  const reblog = sql`select 'reblog' as kind, null as target from statuses
    where uri = ${uri} and account_id = ${actor} and reblog_of_id is not null`
  // Two statements: D1 allows at most five terms in a compound select.
  const ties = [
    tie('follow', 'follows'),
    tie('follow', 'follow_requests'),
    selectBlockByUri('block', actor, uri),
    reblog,
  ]
  const marks = [mark('favourite', 'favourites'), mark('reaction', 'emoji_reactions')]
  return map(both(firstOf(ctx, ties), firstOf(ctx, marks)), ([one, other]) => one ?? other)
}

function firstOf(ctx: Ctx, selections: readonly SQL[]): Query<FoundInteraction | null> {
  const target = sql<string>`coalesce((select username from accounts where id = deed.target), '')`
  return first(
    ctx.db
      .select({ kind: sql<FoundInteraction['kind']>`deed.kind`.as('kind'), username: target.as('username') })
      .from(sql`(${sql.join([...selections], sql` union all `)}) as deed`),
  )
}

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
