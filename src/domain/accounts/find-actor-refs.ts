import { sql } from 'drizzle-orm'
import { instanceActorUri, uriOfAccount } from '../../contract/addresses'
import { instanceActorId } from '../../contract/ids'
import { prepared } from '../../db/prepared'
import { inJsonList, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { accountKeys } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { SigningKeys } from '../../ports/federation'

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

/** By then the `Update` with the new key has been delivered, or retries to its server have ended. */
export const previousKeyDays = 7

/** Sealed private keys of local accounts. One statement. */
export function sealedKeysOf(ctx: Ctx, ids: readonly AccountId[]): Query<readonly SigningKeys[]> {
  const oldest = ctx.clock.now().getTime() - previousKeyDays * 24 * 3_600_000
  const found = selectKeys(ctx.db, { ids: JSON.stringify(ids) })
  return map(rows(found), (keys) =>
    keys.map(({ rotatedAt: at, ...key }) =>
      at !== null && at.getTime() > oldest ? key : { ...key, previousPrivateKey: null },
    ),
  )
}

const selectKeys = prepared(['ids'], (db, { ids }) => {
  const { accountId, privateKey, previousPrivateKey, rotatedAt } = accountKeys
  return db
    .select({ accountId, privateKey, previousPrivateKey, rotatedAt })
    .from(accountKeys)
    .where(inJsonList(accountId, ids))
})
