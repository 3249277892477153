import { type SQL, sql } from 'drizzle-orm'
import { both, first, map, type Query } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** What somebody of another server did here, told by the id of the activity; `username` is whom of ours it met. */
export interface FoundInteraction {
  readonly kind: 'follow' | 'block' | 'reblog' | 'favourite' | 'reaction'
  readonly username: string
}

/** How many of somebody's latest marks are looked through: few software undoes by the id alone, and soon. */
const latest = 200

/** The deed of `doer` with this id; ids are looked for among the doer's own rows only. */
export function findInteractionByUri(ctx: Ctx, doer: AccountId, uri: string): Query<FoundInteraction | null> {
  const tie = (kind: string, table: string) => sql`select ${kind} as kind, target_account_id as target
    from ${sql.raw(table)} where account_id = ${doer} and uri = ${uri}`
  const mark = (kind: string, table: string) => sql`select ${kind} as kind, null as target from (
    select uri from ${sql.raw(table)} where account_id = ${doer} order by id desc ${limitTo(latest)}) where uri = ${uri}`
  const reblog = sql`select 'reblog' as kind, null as target from statuses
    where uri = ${uri} and account_id = ${doer} and reblog_of_id is not null`
  // Two statements: D1 takes five parts of a union at most.
  const ties = [tie('follow', 'follows'), tie('follow', 'follow_requests'), tie('block', 'blocks'), reblog]
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
