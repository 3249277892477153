import { type SQL, sql } from 'drizzle-orm'
import { both, first, map, type Query } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { selectBlockByUri } from '../policy/block-rows'

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
