import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'

const mostStaff = 30
/** Candidates examined, so that a badge that many wear costs no more. */
const mostCandidates = 60

/**
 * Accounts whose role has permissions and is shown as a badge, as rows (id, cursor): higher roles first, then older accounts.
 * Leaves out disabled, suspended, limited and moved accounts.
 */
export function staffSelection(): SQL {
  return sql`select a.id as id, row_number() over (order by team.position, a.id desc) as cursor
    from (select u.account_id, r.position
      from (select id, position from roles where highlighted = 1 and permissions <> 0 order by position desc) r
      cross join users u on u.role_id = r.id
      where u.disabled_at is null ${limitTo(mostCandidates)}) team
    cross join accounts a on a.id = team.account_id
    where a.suspended_at is null and a.silenced_at is null and a.moved_to_account_id is null
    order by cursor desc ${limitTo(mostStaff)}`
}
