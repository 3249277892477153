import { type SQL, sql } from 'drizzle-orm'
import { preparedShapes } from '../../db/prepared'
import { jsonTable, limitTo, map, type Query, rows } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { hasKnownInbox, isInLocalPart } from '../policy/visibility'

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
  const { followersOf = null, followedBy = null, people = [], uris = [] } = recipients
  const found = selectInboxes(
    ctx.db,
    {
      followersOf,
      followedBy,
      people: JSON.stringify(people),
      uris: JSON.stringify(uris),
      after,
      limit: limitTo(length + 1),
    },
    {
      followers: followersOf !== null,
      followed: followedBy !== null,
      people: people.length > 0,
      uris: uris.length > 0,
      everywhere: recipients.everywhere === true,
      personal: recipients.personal === true,
      evenSuspended: recipients.evenSuspended === true,
      limited: ctx.config.federation.limited,
      paged: after !== null,
    },
  )
  return map(rows(found), (all) => ({
    inboxes: [...new Set(all.slice(0, length).map((row) => row.inbox))].toSorted(),
    hasMore: all.length > length,
  }))
}

/** Recipients of a statement; `limited` is the federation mode. */
interface InboxShape extends Readonly<Record<string, boolean>> {
  readonly followers: boolean
  readonly followed: boolean
  readonly people: boolean
  readonly uris: boolean
  readonly everywhere: boolean
  readonly personal: boolean
  readonly evenSuspended: boolean
  readonly limited: boolean
  readonly paged: boolean
}

const selectInboxes = preparedShapes(
  ['followersOf', 'followedBy', 'people', 'uris', 'after', 'limit'],
  (db, placeholder, shape: InboxShape) => {
    const { followersOf, after, limit } = placeholder
    // Known inboxes are shared by followers that may not all be on the allow-list.
    const areKnown = shape.followers && !shape.personal && !shape.limited
    const lookedUp = lookedUpInboxes(placeholder, shape, areKnown ? isInLocalPart('follows') : sql`1`)
    const some = areKnown ? sql`${knownInboxes(followersOf)} union all ${lookedUp}` : lookedUp
    // Servers on the allow-list are found by their accounts.
    const reached = shape.everywhere && !shape.limited ? allInboxes : some
    const page = shape.paged
      ? sql`select distinct inbox from (${reached}) where inbox > ${after} order by inbox ${limit}`
      : sql`${reached} ${limit}`
    return db.select({ inbox: sql<string>`reached.inbox`.as('inbox') }).from(sql`(${page}) reached`)
  },
)

/** Inboxes of every known server, as rows (inbox). */
const allInboxes = sql`select i.url as inbox from inboxes i where i.unreachable_since is null`

/** Inboxes of the followers of which one is known, as rows (inbox). */
function knownInboxes(account: SQL): SQL {
  return sql`select known.url as inbox
    from (select distinct f.inbox_id from follows f
      where f.target_account_id = ${account} and ${hasKnownInbox('f')}) reaching
    cross join inboxes known on known.id = reaching.inbox_id and known.unreachable_since is null`
}

type RecipientValues = Readonly<Record<'followersOf' | 'followedBy' | 'people' | 'uris', SQL>>

/** Inboxes of the other recipients, as rows (inbox). Of followers only those in `part`. */
function lookedUpInboxes(values: RecipientValues, shape: InboxShape, part: SQL): SQL {
  const inbox = sql.raw(shape.personal ? 'r.inbox' : 'coalesce(r.shared_inbox, r.inbox)')
  const reached = shape.everywhere
    ? sql`remote_actors r`
    : sql`(${recipientAccounts(values, shape, part)}) picked cross join remote_actors r on r.account_id = picked.id`
  const active = shape.evenSuspended ? sql`1` : sql`a.suspended_at is null`
  return sql`select looked.inbox from (select distinct ${inbox} as inbox
      from ${reached} cross join accounts a on a.id = r.account_id
      where a.domain is not null and ${active} and ${shape.limited ? isListed : sql`1`}) looked
    left join inboxes i on i.url = looked.inbox where i.unreachable_since is null`
}

function recipientAccounts(values: RecipientValues, shape: InboxShape, part: SQL): SQL {
  const kinds = [
    ...(shape.people ? [sql`select item.value as id from ${jsonTable(values.people)}`] : []),
    ...(shape.uris
      ? [
          sql`select named.id from ${jsonTable(values.uris)} cross join accounts named on named.uri = item.value`,
        ]
      : []),
    ...(shape.followers
      ? [
          sql`select account_id as id from follows where target_account_id = ${values.followersOf} and ${part}`,
        ]
      : []),
    ...(shape.followed
      ? [
          sql`select target_account_id as id from follows where account_id = ${values.followedBy}`,
          sql`select target_account_id as id from follow_requests where account_id = ${values.followedBy}`,
        ]
      : []),
  ]
  // Duplicates are harmless: inboxes are selected once.
  return kinds.length === 0 ? sql`select 0 as id where 0` : sql.join(kinds, sql` union all `)
}

/** Condition: the account `a` is of a server on the allow-list. */
const isListed = sql`exists (select 1 from allowed_domains allowed where allowed.domain = a.domain
  or substr(a.domain, -length(allowed.domain) - 1) = '.' || allowed.domain)`

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
