import { type SQL, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { LiveEvent } from '../../messages/live'
import type { Ctx, Subscriber } from '../../platform/ports'
import { isActiveAccount } from '../policy/account-visibility'

/**
 * Who is here to hear the news. One statement, for the batch that makes them true: where nobody listens, it is all
 * that they cost. An empty channel stands for the person, whatever they listen to. Rules of single listeners are not
 * looked at: their connections hold those.
 */
export function subscribersOfEvent(ctx: Ctx, news: LiveEvent): Query<readonly Subscriber[]> {
  return rows(
    ctx.db
      .select({
        accountId: sql<AccountId | null>`heard.account_id`.as('account_id'),
        channel: sql<string>`heard.channel`.as('channel'),
      })
      .from(sql`(${subscribers(news)}) as heard`),
  )
}

/** Are the listeners of such news those from before the batch, because it may take away what shows who they are? */
export function isReadBeforeWrites({ kind }: LiveEvent): boolean {
  return kind === 'status.removed' || kind === 'sessions.ended'
}

function subscribers(news: LiveEvent): SQL {
  switch (news.kind) {
    case 'status.posted':
    case 'status.edited':
      return sql`${ownStreams(hasInFeed(news.statusId))} union all ${topics(news.statusId, isByUnlimitedAuthor)}`
    case 'status.removed':
      // Whoever was named was told of it, and of a limited or leaving author it may still be before their eyes.
      return sql`${ownStreams(sql`(${hasInFeed(news.statusId, latestReblogs(news.statusId))}
          or (l.value = 'user' and ${isNamedIn(news.statusId)}))`)}
        union all ${topics(news.statusId, '1')}`
    case 'notifications.made':
      // From the notifications to their people: there are fewer of them than are here.
      return sql`select distinct p.account_id, l.value as channel
        from ${jsonRows(news.ids)} cross join notifications n on n.id = item.value and n.filtered = 0
          cross join presences p on p.account_id = n.account_id cross join json_each(p.channels) l
        where l.value in ('user', 'user:notification') and ${isInGoodStanding}`
    case 'messages.encrypted':
      return sql`select distinct p.account_id, l.value as channel
        from ${jsonRows(news.ids)} cross join encrypted_messages m on m.id = item.value
          cross join crypto_devices d on d.token_id = m.token_id
          cross join presences p on p.account_id = d.account_id cross join json_each(p.channels) l
        where l.value = 'user' and ${isInGoodStanding}`
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
      return sql`select p.account_id, '' as channel from presences p where p.account_id = ${news.accountId}`
  }
}

/** Streams `l` of people `p` who are here, with nothing against them. */
function ownStreams(condition: SQL): SQL {
  return sql`select p.account_id, l.value as channel from presences p cross join json_each(p.channels) l
    where ${condition} and ${isInGoodStanding}`
}

const isInGoodStanding = isActiveAccount('p.account_id')

/** Does what they listen to hold the status, or one of `others`, a selection of ids? */
function hasInFeed(id: StatusId, others?: SQL): SQL {
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

/** Those that go with what they share; of many, the ones that are not far down yet. */
function latestReblogs(id: StatusId): SQL {
  return sql`select r.id from statuses r where r.reblog_of_id = ${id} order by r.id desc ${limitTo(20)}`
}

function isNamedIn(id: StatusId): SQL {
  return sql`exists (select 1 from status_mentions m where m.status_id = ${id} and m.account_id = p.account_id)`
}

/** The shared streams a status belongs to: as the public timelines. */
function topics(id: StatusId, author: string): SQL {
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

/** Nobody meets there whom moderators limited, not even their followers. */
const isByUnlimitedAuthor = `not exists (select 1 from accounts a where a.id = s.account_id
  and (a.suspended_at is not null or a.silenced_at is not null))`

/** One row, or none: then the status is not read either. */
const anyActiveTopic = '(select 1 from heard_topics heard limit 1) heard'

// They are looked up by name: how many others are listened to is nothing to a status.
const timelines = `('public', iif(s.local, 'public:local', 'public:remote'),
  iif(s.attachments <> '[]', 'public:media', ''),
  iif(s.attachments <> '[]', iif(s.local, 'public:local:media', 'public:remote:media'), ''))`

const tags = `('hashtag:' || (used.value ->> 'name'),
  iif(s.local, 'hashtag:local:' || (used.value ->> 'name'), ''))`
