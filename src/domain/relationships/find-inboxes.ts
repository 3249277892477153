import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Who is to be told. */
export interface Recipients {
  readonly followersOf?: AccountId
  /** Those somebody follows, or asked to follow. */
  readonly followedBy?: AccountId
  readonly people?: readonly AccountId[]
  /** Actor ids, known ones. */
  readonly uris?: readonly string[]
  /** Every server this one has ever met. */
  readonly everywhere?: boolean
  /** Into each person's own inbox, for deeds that name nobody else as addressed. */
  readonly personal?: boolean
}

export interface InboxPage {
  readonly after: string
  readonly length: number
}

/**
 * The inboxes that reach somebody, in order of address, `length` of them after `after`: of servers that have a shared
 * one, that one alone. One statement.
 *
 * Left out are people who are suspended, as all of a suspended server are, and whoever is on no list where only
 * listed servers are spoken with.
 */
export function inboxesOf(
  ctx: Ctx,
  reach: Recipients,
  { after, length }: InboxPage,
): Query<readonly string[]> {
  const inbox = sql.raw(reach.personal === true ? 'r.inbox' : 'coalesce(r.shared_inbox, r.inbox)')
  const reached =
    reach.everywhere === true
      ? sql`remote_actors r`
      : sql`(${recipientAccounts(reach)}) picked cross join remote_actors r on r.account_id = picked.id`
  const found = rows(
    ctx.db
      .select({ inbox: sql<string>`${inbox}`.as('inbox') })
      .from(sql`${reached} cross join accounts a on a.id = r.account_id`)
      .where(sql`${inbox} > ${after} and a.domain is not null and a.suspended_at is null and ${listed(ctx)}`)
      .groupBy(inbox)
      .orderBy(sql`inbox ${limitTo(length)}`),
  )
  return map(found, (all) => all.map((row) => row.inbox))
}

function recipientAccounts({ followersOf, followedBy, people = [], uris = [] }: Recipients): SQL {
  const kinds = [
    ...(people.length === 0 ? [] : [sql`select item.value as id from ${jsonRows(people)}`]),
    ...(uris.length === 0
      ? []
      : [sql`select named.id from ${jsonRows(uris)} cross join accounts named on named.uri = item.value`]),
    ...(followersOf === undefined
      ? []
      : [sql`select account_id as id from follows where target_account_id = ${followersOf}`]),
    ...(followedBy === undefined
      ? []
      : [
          sql`select target_account_id as id from follows where account_id = ${followedBy}`,
          sql`select target_account_id as id from follow_requests where account_id = ${followedBy}`,
        ]),
  ]
  // Somebody twice makes no second inbox.
  return kinds.length === 0 ? sql`select 0 as id where 0` : sql.join(kinds, sql` union all `)
}

function listed(ctx: Ctx): SQL {
  if (!ctx.config.federation.limited) return sql`1`
  return sql`exists (select 1 from allowed_domains allowed where allowed.domain = a.domain
    or substr(a.domain, -length(allowed.domain) - 1) = '.' || allowed.domain)`
}

/** The actor ids of everybody elsewhere who follows `account`. One statement. */
export function remoteFollowersOf(ctx: Ctx, account: AccountId): Query<readonly string[]> {
  const found = rows(
    ctx.db
      .select({ uri: sql<string>`a.uri`.as('uri') })
      .from(sql`follows f cross join accounts a on a.id = f.account_id`)
      .where(sql`f.target_account_id = ${account} and a.domain is not null and a.uri is not null`),
  )
  return map(found, (all) => all.map(({ uri }) => uri))
}
