import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Recipients of an activity. */
export interface Recipients {
  readonly followersOf?: AccountId
  /** Accounts that this one follows, or requested to follow. */
  readonly followedBy?: AccountId
  readonly people?: readonly AccountId[]
  /** Actor ids of known accounts. */
  readonly uris?: readonly string[]
  /** Every known server. */
  readonly everywhere?: boolean
  /** Delivers to each account's personal inbox, for activities that address no other account. */
  readonly personal?: boolean
  /** Delivers to suspended accounts as well, of servers that are not: what ends their follows. */
  readonly evenSuspended?: boolean
}

export interface InboxPage {
  readonly after: string
  readonly length: number
}

/**
 * Inboxes that reach the recipients, ordered by URL, `length` of them after `after`: the shared inbox of a server
 * that has one. One statement.
 *
 * Left out are suspended accounts unless asked for, which includes all of a suspended server, and, in limited
 * federation mode, servers that are not on the allow-list.
 */
export function inboxesOf(
  ctx: Ctx,
  recipients: Recipients,
  { after, length }: InboxPage,
): Query<readonly string[]> {
  const inbox = sql.raw(recipients.personal === true ? 'r.inbox' : 'coalesce(r.shared_inbox, r.inbox)')
  const reached =
    recipients.everywhere === true
      ? sql`remote_actors r`
      : sql`(${recipientAccounts(recipients)}) picked cross join remote_actors r on r.account_id = picked.id`
  const active = recipients.evenSuspended === true ? sql`1` : sql`a.suspended_at is null`
  const found = rows(
    ctx.db
      .select({ inbox: sql<string>`${inbox}`.as('inbox') })
      .from(sql`${reached} cross join accounts a on a.id = r.account_id`)
      .where(sql`${inbox} > ${after} and a.domain is not null and ${active} and ${listed(ctx)}`)
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
  // Duplicates are harmless: the outer query groups by inbox.
  return kinds.length === 0 ? sql`select 0 as id where 0` : sql.join(kinds, sql` union all `)
}

function listed(ctx: Ctx): SQL {
  if (!ctx.config.federation.limited) return sql`1`
  return sql`exists (select 1 from allowed_domains allowed where allowed.domain = a.domain
    or substr(a.domain, -length(allowed.domain) - 1) = '.' || allowed.domain)`
}

/** Actor ids of all remote followers of `account`. One statement. */
export function remoteFollowersOf(ctx: Ctx, account: AccountId): Query<readonly string[]> {
  const found = rows(
    ctx.db
      .select({ uri: sql<string>`a.uri`.as('uri') })
      .from(sql`follows f cross join accounts a on a.id = f.account_id`)
      .where(sql`f.target_account_id = ${account} and a.domain is not null and a.uri is not null`),
  )
  return map(found, (all) => all.map(({ uri }) => uri))
}
