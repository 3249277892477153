import { type SQL, sql } from 'drizzle-orm'

/** Number of statuses by an account that its counter includes: neither direct nor local-only ones. */
export function countedBy(account: SQL): SQL<number> {
  return sql<number>`(select count(*) from statuses s where s.account_id = ${account}
    and s.visibility <> 'direct' and s.local_only = 0)`
}
