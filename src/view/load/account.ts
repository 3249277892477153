import { type SQL, sql } from 'drizzle-orm'
import { countedBefore } from '../../db/counted-before'
import { both, first, map, type Query } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountBundle, type AccountFacts, loadAccounts } from './accounts'

/** Statuses of a remote account that are counted while reading; more of one day appear with the daily count. */
const mostUncounted = 100

interface Uncounted {
  readonly id: AccountId
  readonly number: number
  readonly latest: number
}

/**
 * Loads the one account of a selection, as `loadAccounts`, with the statuses of a remote author that `count-servers` has not
 * counted yet: two statements. Lists of accounts show the stored counts.
 */
export function loadAccount(ctx: Ctx, selection: SQL): Query<AccountBundle> {
  const found = first<Uncounted>(
    ctx.db
      .select({
        id: sql<AccountId>`recent.account_id`.as('id'),
        number: sql<number>`count(*)`.as('number'),
        latest: sql<number>`max(recent.created_at)`.as('latest'),
      })
      .from(
        sql`(select s.account_id, s.created_at from (${selection}) one
          cross join accounts a on a.id = one.id and a.domain is not null
          cross join statuses s on s.account_id = a.id and s.id >= ${countedBefore}
            and s.local = 0 and s.visibility <> 'direct'
          order by s.id desc ${limitTo(mostUncounted)}) recent`,
      )
      .groupBy(sql`recent.account_id`),
  )
  return map(both(loadAccounts(ctx, selection), found), ([bundle, uncounted]) => {
    const facts = uncounted === null ? undefined : bundle.accounts.get(uncounted.id)
    if (uncounted === null || facts === undefined) return bundle
    return { ...bundle, accounts: new Map(bundle.accounts).set(facts.id, withUncounted(facts, uncounted)) }
  })
}

function withUncounted(facts: AccountFacts, { number, latest }: Uncounted): AccountFacts {
  const lastStatusAt = new Date(Math.max(facts.lastStatusAt?.getTime() ?? 0, latest))
  return { ...facts, statusesCount: facts.statusesCount + number, lastStatusAt }
}
