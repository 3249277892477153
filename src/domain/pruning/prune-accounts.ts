import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { metaOf } from '../../db/observed-binding'
import { inList, limitTo, map, type Query, rawResults } from '../../db/query'
import { accounts } from '../../db/schema'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { isAccountKept } from './find-kept-accounts'
import { PartChanged } from './prune-statuses'

/** Part of the accounts, in the order of their ids. */
export interface AccountPart {
  readonly after: number
  /** Accounts stored or fetched since stay. */
  readonly before: Date
  /** Accounts inspected. */
  readonly most: number
}

export interface FoundAccounts {
  readonly inspected: number
  readonly last: number | null
  readonly ids: readonly AccountId[]
  readonly rowsRead: number
}

const Result = z.object({
  results: z.array(z.object({ id: z.number(), goes: z.number() })),
})

/** Loads the accounts among a part that nothing keeps. One statement. */
export function findPrunableAccounts(ctx: Ctx, { after, before, most }: AccountPart): Query<FoundAccounts> {
  const since = before.getTime()
  const found = ctx.db.run(sql`with part(id) as materialized (
      select id from accounts where id > ${after} and id < ${firstIdAt(before)} order by id ${limitTo(most)})
    select a.id as id, iif(a.updated_at >= ${since} or exists (select 1 from remote_actors fetched
      where fetched.account_id = a.id and fetched.fetched_at >= ${since}) or ${isAccountKept}, 0, 1) as goes
    from part cross join accounts a on a.id = part.id order by a.id`)
  return map(rawResults([found]), ([result]) => {
    const { results } = Result.parse(result)
    return {
      inspected: results.length,
      last: results.at(-1)?.id ?? null,
      ids: results.filter(({ goes }) => goes === 1).map(({ id }) => id),
      rowsRead: metaOf(result).rows_read,
    }
  })
}

/**
 * Adds the deletion of remote accounts with their keys and addresses. `PartChanged` where one of them is to be kept by
 * now. Not federated: the account is fetched again on the next lookup or activity.
 */
export function deletePrunedAccounts(ctx: Ctx, changes: Changes, ids: readonly AccountId[]): void {
  changes
    .require(
      sql`not exists (select 1 from accounts a where ${inList(sql`a.id`, ids)} and ${isAccountKept})
        and (select count(*) from accounts a where ${inList(sql`a.id`, ids)}) = ${ids.length}`,
      new PartChanged('accounts_changed'),
    )
    .add(ctx.db.delete(accounts).where(inList(accounts.id, ids)))
}
