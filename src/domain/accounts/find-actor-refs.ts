import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows } from '../../db/sql'
import { instanceActorUri, uriOfAccount } from '../../lib/addresses'
import { type AccountId, instanceActorId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Somebody an activity is from, to or about. */
export interface ActorRef {
  readonly id: AccountId
  /** The actor id. */
  readonly uri: string
  /** Null for people of this server. */
  readonly domain: string | null
  /** Suspended, here or at home, or by the limit on all of their server: not written to. */
  readonly suspended: boolean
  /** Their own inbox; null for people of this server. */
  readonly inbox: string | null
}

/** The accounts with these ids that are there. One statement. */
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

/** The server's own account stands among people, and its address does not. */
function uriOf(origin: string, account: Addressed & { readonly id: AccountId }): string {
  return account.id === instanceActorId ? instanceActorUri(origin) : uriOfAccount(origin, account)
}
