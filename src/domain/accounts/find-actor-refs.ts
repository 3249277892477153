import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows } from '../../db/sql'
import { instanceActorUri, uriOfAccount } from '../../lib/addresses'
import { type AccountId, instanceActorId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Account that an activity is from, to or about. */
export interface ActorRef {
  readonly id: AccountId
  /** Actor id. */
  readonly uri: string
  /** Null for local accounts. */
  readonly domain: string | null
  /** Suspended here, at home, or by a limit on the whole server: nothing is delivered. */
  readonly suspended: boolean
  /** Personal inbox; null for local accounts. */
  readonly inbox: string | null
}

/** Existing accounts among these ids. One statement. */
export function actorRefsOf(ctx: Ctx, ids: readonly AccountId[]): Query<ReadonlyMap<AccountId, ActorRef>> {
  const found = rows(
    ctx.db
      .select({
        id: sql<AccountId>`a.id`.as('id'),
        uri: sql<string | null>`a.uri`.as('uri'),
        username: sql<string>`a.username`.as('username'),
        domain: sql<string | null>`a.domain`.as('domain'),
        suspended: sql<number>`a.suspended_at is not null`.as('suspended'),
        inbox: sql<string | null>`r.inbox`.as('inbox'),
      })
      .from(sql`${jsonRows([...new Set(ids)])} cross join accounts a on a.id = item.value
        left join remote_actors r on r.account_id = a.id`),
  )
  const { origin } = ctx.config
  return map(
    found,
    (all) =>
      new Map(
        all.map(({ id, domain, suspended, inbox, ...row }) => [
          id,
          { id, domain, inbox, uri: uriOf(origin, { id, ...row }), suspended: suspended === 1 },
        ]),
      ),
  )
}

type Addressed = Parameters<typeof uriOfAccount>[1]

/** The instance actor is a row of `accounts`, but its URI has another form. */
function uriOf(origin: string, account: Addressed & { readonly id: AccountId }): string {
  return account.id === instanceActorId ? instanceActorUri(origin) : uriOfAccount(origin, account)
}
