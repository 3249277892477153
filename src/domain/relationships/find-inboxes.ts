import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { hasKnownInbox, isInLocalPart } from '../policy/follower-parts'

/** Recipients of an activity. */
export interface Recipients {
  readonly followersOf?: AccountId
  /** Accounts that this one follows, or requested to follow. */
  readonly followedBy?: AccountId
  readonly people?: readonly AccountId[]
  /** Actor ids of known accounts. */
  readonly uris?: readonly string[]
  /** Every known server, also those of accounts that are suspended one by one. */
  readonly everywhere?: boolean
  /** Delivers to each account's personal inbox, for activities that address no other account. */
  readonly personal?: boolean
  /** Delivers to suspended accounts as well, of servers that are not: what ends their follows. */
  readonly evenSuspended?: boolean
}

export interface InboxPage {
  /** Null: all of them, in no order, if they are no more than `length`. Sorting them would read each again. */
  readonly after: string | null
  readonly length: number
}

/** Inboxes by their addresses, and whether there are more behind the last. */
export interface FoundInboxes {
  readonly inboxes: readonly string[]
  readonly hasMore: boolean
}

/**
 * Inboxes that reach the recipients: the shared inbox of a server that has one. One statement; a follower costs one
 * row of an index, an inbox another one.
 *
 * Left out are inboxes that were unreachable for a week and, in limited federation mode, servers that are not on the
 * allow-list; suspended accounts too, which includes all of a suspended server, unless asked for or everywhere.
 */
export function inboxesOf(
  ctx: Ctx,
  recipients: Recipients,
  { after, length }: InboxPage,
): Query<FoundInboxes> {
  const { followersOf, personal = false } = recipients
  // Known inboxes are shared by followers that may not all be on the allow-list.
  const areKnown = followersOf !== undefined && !personal && !ctx.config.federation.limited
  const lookedUp = lookedUpInboxes(ctx, recipients, areKnown ? isInLocalPart('follows') : sql`1`)
  const some = areKnown ? sql`${knownInboxes(followersOf)} union all ${lookedUp}` : lookedUp
  // Servers on the allow-list are found by their accounts.
  const reached = recipients.everywhere === true && !ctx.config.federation.limited ? allInboxes : some
  const page =
    after === null
      ? sql`${reached} ${limitTo(length + 1)}`
      : sql`select distinct inbox from (${reached}) where inbox > ${after} order by inbox ${limitTo(length + 1)}`
  const found = rows(
    ctx.db.select({ inbox: sql<string>`reached.inbox`.as('inbox') }).from(sql`(${page}) reached`),
  )
  return map(found, (all) => ({
    inboxes: [...new Set(all.slice(0, length).map((row) => row.inbox))].toSorted(),
    hasMore: all.length > length,
  }))
}

/** Inboxes of every known server, as rows (inbox). */
const allInboxes = sql`select i.url as inbox from inboxes i where i.unreachable_since is null`

/** Inboxes of the followers of which one is known, as rows (inbox). */
function knownInboxes(account: AccountId): SQL {
  return sql`select known.url as inbox
    from (select distinct f.inbox_id from follows f
      where f.target_account_id = ${account} and ${hasKnownInbox('f')}) reaching
    cross join inboxes known on known.id = reaching.inbox_id and known.unreachable_since is null`
}

/** Inboxes of the other recipients, as rows (inbox). Of followers only those in `part`. */
function lookedUpInboxes(ctx: Ctx, recipients: Recipients, part: SQL): SQL {
  const inbox = sql.raw(recipients.personal === true ? 'r.inbox' : 'coalesce(r.shared_inbox, r.inbox)')
  const reached =
    recipients.everywhere === true
      ? sql`remote_actors r`
      : sql`(${recipientAccounts(recipients, part)}) picked cross join remote_actors r on r.account_id = picked.id`
  const active = recipients.evenSuspended === true ? sql`1` : sql`a.suspended_at is null`
  return sql`select looked.inbox from (select distinct ${inbox} as inbox
      from ${reached} cross join accounts a on a.id = r.account_id
      where a.domain is not null and ${active} and ${listed(ctx)}) looked
    left join inboxes i on i.url = looked.inbox where i.unreachable_since is null`
}

function recipientAccounts({ followersOf, followedBy, people = [], uris = [] }: Recipients, part: SQL): SQL {
  const kinds = [
    ...(people.length === 0 ? [] : [sql`select item.value as id from ${jsonRows(people)}`]),
    ...(uris.length === 0
      ? []
      : [sql`select named.id from ${jsonRows(uris)} cross join accounts named on named.uri = item.value`]),
    ...(followersOf === undefined
      ? []
      : [sql`select account_id as id from follows where target_account_id = ${followersOf} and ${part}`]),
    ...(followedBy === undefined
      ? []
      : [
          sql`select target_account_id as id from follows where account_id = ${followedBy}`,
          sql`select target_account_id as id from follow_requests where account_id = ${followedBy}`,
        ]),
  ]
  // Duplicates are harmless: inboxes are selected once.
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
