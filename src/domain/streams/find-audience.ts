import { type SQL, sql } from 'drizzle-orm'
import { prepared } from '../../db/prepared'
import { type Db, jsonRows, limitTo, type Query, rows } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import type { LiveEvent } from '../../messages/live'
import type { Ctx } from '../../ports/ctx'
import type { Subscriber } from '../../ports/services'
import { isActiveAccount } from '../policy/account-visibility'
import { isInLocalPart, latestReblogs } from '../policy/visibility'

/**
 * Subscribers of a live event. One statement, for the batch that causes the event; without connected clients it is
 * the only cost. An empty channel means all connections of the account. Rules of single subscribers are not
 * applied: their connections cache those.
 */
export function subscribersOfEvent(ctx: Ctx, event: LiveEvent): Query<readonly Subscriber[]> {
  if (event.kind === 'status.posted' || event.kind === 'status.edited')
    return rows(selectReceivers(ctx.db, { id: event.statusId }))
  return rows(selectConnected(ctx.db, subscribers(event)))
}

function selectConnected(db: Db, subscribed: SQL) {
  return db
    .select({
      accountId: sql<AccountId | null>`connected.account_id`.as('account_id'),
      channel: sql<string>`connected.channel`.as('channel'),
    })
    .from(sql`(${subscribed}) as connected`)
}

/** Subscribers of a new or edited status. */
const selectReceivers = prepared(['id'], (db, { id }) =>
  selectConnected(
    db,
    sql`${streamsOfReceivers(only(id), hasInFeed(id))} union all ${topics(id, isByUnlimitedAuthor)}`,
  ),
)

/**
 * Whether the subscribers of such an event are read before the writes, which may delete the rows that identify
 * them.
 */
export function isReadBeforeWrites({ kind }: LiveEvent): boolean {
  return kind === 'status.removed' || kind === 'sessions.ended'
}

function subscribers(event: Exclude<LiveEvent, { kind: 'status.posted' | 'status.edited' }>): SQL {
  switch (event.kind) {
    case 'status.removed': {
      // Reblogs are removed together with their original; of many, only the latest are likely to be displayed.
      const reblogs = latestReblogs(event.statusId, 20)
      // Mentioned accounts were notified, and statuses of a limited or deleted author may still be displayed.
      const isShown = sql`(${hasInFeed(event.statusId, reblogs)}
        or (l.value = 'user' and ${isNamedIn(event.statusId)}))`
      return sql`${streamsOfReceivers(sql`${only(event.statusId)} union all select * from (${reblogs})`, isShown)}
        union all ${topics(event.statusId, '1')}`
    }
    case 'notifications.made':
      // Starts from the notifications: they are fewer than the connected accounts.
      return sql`select distinct p.account_id, l.value as channel
        from ${jsonRows(event.ids)} cross join notifications n on n.id = item.value and n.filtered = 0
          cross join presences p on p.account_id = n.account_id cross join json_each(p.channels) l
        where l.value in ('user', 'user:notification') and ${isActive}`
    case 'messages.encrypted':
      return sql`select distinct p.account_id, l.value as channel
        from ${jsonRows(event.ids)} cross join encrypted_messages m on m.id = item.value
          cross join crypto_devices d on d.token_id = m.token_id
          cross join presences p on p.account_id = d.account_id cross join json_each(p.channels) l
        where l.value = 'user' and ${isActive}`
    case 'announcement.published':
    case 'announcement.reacted':
    case 'announcement.removed':
      return ownStreams(sql`l.value = 'user'`)
    case 'feeds.changed':
      return sql`select p.account_id, '' as channel from presences p`
    case 'notifications.merged':
    case 'filters.changed':
    case 'rules.changed':
    case 'standing.changed':
    case 'sessions.ended':
      return sql`select p.account_id, '' as channel from presences p where p.account_id = ${event.accountId}`
  }
}

/** Streams `l` of all connected accounts `p` that are active. */
function ownStreams(condition: SQL): SQL {
  return sql`select p.account_id, l.value as channel from presences p cross join json_each(p.channels) l
    where ${condition} and ${isActive}`
}

const isActive = isActiveAccount('p.account_id')

/** Connected accounts up to which each is asked for itself. */
const fewConnected = 50

/**
 * Streams `l` that meet `condition`, of accounts that `statuses` reached: rows (id). Of few connected accounts each is
 * asked; otherwise those that may have received one of them, so that an event costs no more the more accounts are
 * connected.
 */
function streamsOfReceivers(statuses: SQL, condition: SQL): SQL {
  const few = sql.raw(String(fewConnected))
  const streams = sql`cross join json_each(p.channels) l where ${condition} and ${isActive}`
  return sql`select * from (with connected(n) as materialized (
      select count(*) from (select 1 from presences ${limitTo(fewConnected + 1)})), shown(id) as (${statuses})
    select p.account_id, l.value as channel from connected amount
      cross join presences p on amount.n <= ${few} ${streams}
    union all
    select p.account_id, l.value from connected amount cross join (${receivers}) reached on amount.n > ${few}
      cross join presences p on p.account_id = reached.id ${streams})`
}

function only(id: StatusId | SQL): SQL {
  return sql`select ${id} as id`
}

/**
 * Accounts whose feeds may show one of the statuses `shown(id)`, as rows (id): see `fanOut` and `addToConversations`. Followers of a
 * tag that an edit took off keep the status in their feeds.
 */
const receivers = sql`select s.account_id as id from shown cross join statuses s on s.id = shown.id
    union select f.account_id from shown cross join statuses s on s.id = shown.id
      cross join follows f on f.target_account_id = s.account_id and ${isInLocalPart('f')}
    union select * from (select tf.account_id from shown cross join statuses s on s.id = shown.id
        cross join json_each(s.tags) used cross join tags t on t.name = used.value ->> 'name'
        cross join tag_follows tf on tf.tag_id = t.id
      union all select tf.account_id from shown cross join former_tags former on former.status_id = shown.id
        cross join tag_follows tf on tf.tag_id = former.tag_id)
    union select m.account_id from shown cross join status_mentions m on m.status_id = shown.id
    union select m.owner_id from shown cross join statuses s on s.id = shown.id
      cross join list_accounts m on m.account_id = s.account_id`

/** Whether the feed of stream `l` contains the status, or one of `others`, a selection of ids. */
function hasInFeed(id: StatusId | SQL, others?: SQL): SQL {
  const ids = others === undefined ? sql`(${id})` : sql`(select ${id} union all select * from (${others}))`
  return sql`case
    when l.value = 'user' then exists (select 1 from home_entries e
      where e.account_id = p.account_id and e.status_id in ${ids})
    when l.value = 'direct' then exists (select 1 from conversations c
      where c.account_id = p.account_id and c.last_status_id = ${id})
    when l.value like 'list:%' then exists (select 1 from list_entries e
      where e.list_id = cast(substr(l.value, 6) as integer) and e.status_id in ${ids})
    end`
}

function isNamedIn(id: StatusId): SQL {
  return sql`exists (select 1 from status_mentions m where m.status_id = ${id} and m.account_id = p.account_id)`
}

/** Shared streams of a status: as the public timelines. */
function topics(id: StatusId | SQL, author: string): SQL {
  const status = sql`s.id = ${id} and s.visibility = 'public' and s.reblog_of_id is null and ${sql.raw(author)}`
  return sql`select null, topic.channel from ${sql.raw(anyActiveTopic)} cross join statuses s
      cross join heard_topics topic on topic.channel in ${sql.raw(timelines)}
    where ${status} and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
      and s.in_reply_to_uri is null
    union all select null, topic.channel
    from ${sql.raw(anyActiveTopic)} cross join statuses s cross join json_each(s.tags) used
      cross join heard_topics topic on topic.channel in ${sql.raw(tags)}
    where ${status}`
}

/** Accounts limited by moderators appear in no shared stream, not even for their followers. */
const isByUnlimitedAuthor = `not exists (select 1 from accounts a where a.id = s.account_id
  and (a.suspended_at is not null or a.silenced_at is not null))`

/** At most one row; without it the status is not read either. */
const anyActiveTopic = '(select 1 from heard_topics any_topic limit 1) any_topic'

// Topics are looked up by name: the cost does not depend on the number of active topics.
const timelines = `('public', iif(s.local, 'public:local', 'public:remote'),
  iif(s.attachments <> '[]', 'public:media', ''),
  iif(s.attachments <> '[]', iif(s.local, 'public:local:media', 'public:remote:media'), ''))`

const tags = `('hashtag:' || (used.value ->> 'name'),
  iif(s.local, 'hashtag:local:' || (used.value ->> 'name'), ''))`
