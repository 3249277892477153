import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { limitTo } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Time for which mentions count, and statuses, mentions and reports read. Source: Mastodon. */
const mentionDays = 2
const maxStatuses = 200
const maxAccounts = 500
const maxReports = 100

/**
 * Remote accounts beyond followers that have to learn of a changed profile, a suspension above all: those that a local
 * account recently mentioned, and those that reported it. One statement.
 */
export function recentlyReached(ctx: Ctx, accountId: AccountId): Query<readonly AccountId[]> {
  const since = firstIdAt(new Date(ctx.clock.now().getTime() - mentionDays * dayMilliseconds))
  const recent = sql`select id from statuses where account_id = ${accountId} and id >= ${since}
    order by id desc ${limitTo(maxStatuses)}`
  const mentioned = sql`select m.account_id as id from (${recent}) s
    cross join status_mentions m on m.status_id = s.id ${limitTo(maxAccounts)}`
  const reporters = sql`select account_id as id from reports where target_account_id = ${accountId}
    order by id desc ${limitTo(maxReports)}`
  const found = rows(
    ctx.db.select({ id: sql<AccountId>`picked.id`.as('id') }).from(
      sql`(select id from (${mentioned}) union select id from (${reporters})) picked
          cross join remote_actors r on r.account_id = picked.id`,
    ),
  )
  return map(found, (all) => all.map(({ id }) => id))
}
