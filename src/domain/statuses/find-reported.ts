import { sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { type Query, rows } from '../../db/query'
import { each } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'

/** The statuses of this server among `named`, with their authors: for moderators, who see all of them. */
export function ownStatusesAmong(
  ctx: Ctx,
  named: readonly { readonly username: string; readonly id: StatusId }[],
): Query<{ id: StatusId; accountId: AccountId }[]> {
  const asked = named.map(({ username, id }) => ({ username: username.toLowerCase(), id }))
  return rows(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        accountId: sql<AccountId>`s.account_id`.as('account_id'),
      })
      .from(
        sql`${each(asked)} cross join statuses s on s.id = item.value ->> 'id' and s.local = 1
          cross join accounts a on a.id = s.account_id and lower(a.username) = item.value ->> 'username'`,
      ),
  )
}
