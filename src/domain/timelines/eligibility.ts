import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import type { StatusId } from '../../lib/ids'
import { blockSql } from '../policy/block-predicates'
import { latestReblogs } from '../policy/visibility'

// Feed eligibility as conditions on the status `s`: used for new statuses and for backfills.

const hasChosenLanguage = sql`(f.languages is null or s.language is null or s.reblog_of_id is not null
  or s.language in (select value from json_each(f.languages)))`

const wantsReblogs = sql`(s.reblog_of_id is null or f.show_reblogs = 1)`

/** True if exclusive lists of `owner` keep the status out of their home feed. */
function excludedFromHome(owner: SQL): SQL {
  return sql`exists (select 1 from list_accounts kept cross join lists apart on apart.id = kept.list_id
    where kept.account_id = s.account_id and kept.owner_id = ${owner} and apart.exclusive = 1)`
}

/**
 * Whether the status `s` of a followed account may enter the home feed of `f.account_id`, by the follow `f`.
 *
 * Excluded: direct statuses, reblogs where the follow hides them, languages not chosen, members of exclusive
 * lists, replies to accounts the follower does not follow (except to the follower or to the author), and replies
 * to unknown statuses.
 */
export const eligibleForHome = sql`(
  s.visibility <> 'direct' and s.in_reply_to_uri is null
  and ${wantsReblogs} and ${hasChosenLanguage}
  and (s.in_reply_to_account_id is null or s.in_reply_to_account_id in (s.account_id, f.account_id)
    or exists (select 1 from follows known where known.account_id = f.account_id
      and known.target_account_id = s.in_reply_to_account_id))
  and not ${excludedFromHome(sql`f.account_id`)})`

/** Whether the older status `s` may enter feeds: imported ones may be for the profile alone. */
export const isForFeeds = sql`not exists (select 1 from imported_statuses apart
  where apart.status_id = s.id and apart.profile_only = 1)`

/** Memberships `m` of the author of `s`, each with its list `l` and the follow `f` behind it. */
export const listsWithAuthor = sql`list_accounts m
  cross join lists l on l.id = m.list_id
  left join follows f on f.account_id = m.owner_id and f.target_account_id = s.account_id`

/**
 * Whether the status `s` may enter the list `l`, by the membership `m` of its author and the follow `f` of the
 * owner.
 *
 * As for home feeds, but the replies policy of the list decides which replies enter. Replies to the owner and
 * self-replies always enter. A member not followed yet has to wait.
 */
export const eligibleForList = sql`(
  s.visibility <> 'direct' and s.in_reply_to_uri is null
  and (m.owner_id = s.account_id or (f.id is not null and ${wantsReblogs} and ${hasChosenLanguage}))
  and (s.in_reply_to_account_id is null or s.in_reply_to_account_id in (s.account_id, m.owner_id)
    or (l.replies_policy = 'followed' and exists (select 1 from follows known
      where known.account_id = m.owner_id and known.target_account_id = s.in_reply_to_account_id))
    or (l.replies_policy = 'list' and exists (select 1 from list_accounts fellow
      where fellow.account_id = s.in_reply_to_account_id and fellow.owner_id = m.owner_id
        and fellow.list_id = m.list_id))))`

/**
 * Whether the status `s` may enter the home feed of `owner` for a followed hashtag, by any author.
 *
 * Public statuses of others only, no reblogs; none by authors limited by moderators, muted or blocked by the
 * owner, or blocking the owner. If the author is followed, the languages of the follow apply too. `now` in milliseconds.
 */
export function eligibleByTag(owner: SQL, now: SQL | number): SQL {
  const author = sql`s.account_id`
  return sql`(s.visibility = 'public' and s.reblog_of_id is null and s.account_id <> ${owner}
    and not ${blockSql.blocksEither(owner, author)}
    and not ${blockSql.mutes(owner, author, now)}
    and not exists (select 1 from accounts a where a.id = s.account_id and (a.silenced_at is not null
      or a.suspended_at is not null or ${blockSql.blocksDomain(owner, sql`a.domain`)}))
    and not exists (select 1 from follows f where f.account_id = ${owner} and f.target_account_id = s.account_id
      and not ${hasChosenLanguage})
    and not ${excludedFromHome(owner)})`
}

/** True if `owner` follows a hashtag of the status `s`. */
export function hasFollowedTag(owner: SQL): SQL {
  return sql`exists (select 1 from json_each(s.tags) used cross join tags t on t.name = used.value ->> 'name'
    cross join tag_follows tf on tf.tag_id = t.id and tf.account_id = ${owner})`
}

/** A feed table. */
export interface FeedTable {
  readonly table: 'home_entries' | 'list_entries'
  /** Column that identifies the feed. */
  readonly key: 'account_id' | 'list_id'
}

export const homeFeeds: FeedTable = { table: 'home_entries', key: 'account_id' }
export const listFeeds: FeedTable = { table: 'list_entries', key: 'list_id' }

/** As in Mastodon: a status among this many latest entries, itself or as a reblog, is not added again. */
const deduplicationWindow = 40

interface Reblog {
  readonly id: StatusId
  readonly reblogOfId: StatusId
}

/** The latest other reblogs of the same original, as rows (id). */
export function otherReblogs({ id, reblogOfId }: Reblog): SQL {
  return sql`select id from (${latestReblogs(reblogOfId, deduplicationWindow + 1)})
    where id <> ${id} order by id desc ${limitTo(deduplicationWindow)}`
}

/** Statuses with the same content as the reblog: its original and the latest other reblogs. A table `same(id)`. */
export function sameContentAs(reblog: Reblog): SQL {
  return sql`same(id) as materialized (
    select ${reblog.reblogOfId} union all select id from (${otherReblogs(reblog)}))`
}

/** True if none of `same` is among the latest entries of the feed. Reads rows only if one is in the feed at all. */
export function notRecentlyIn({ table, key }: FeedTable, feed: SQL): SQL {
  const [entries, owner] = [sql.raw(table), sql.raw(key)]
  const oldest = sql`select late.status_id from ${entries} late where late.${owner} = ${feed}
    order by late.status_id desc limit 1 offset ${sql.raw(String(deduplicationWindow - 1))}`
  return sql`not exists (select 1 from same cross join ${entries} shown
    where shown.${owner} = ${feed} and shown.status_id = same.id and +shown.status_id >= coalesce((${oldest}), 0))`
}

/** Originals of the latest entries of one feed: a table `shown(id)`. */
export function recentlyShownIn({ table, key }: FeedTable, feed: SQL): SQL {
  const latest = sql`select e.status_id from ${sql.raw(table)} e where e.${sql.raw(key)} = ${feed}
    order by e.status_id desc ${limitTo(deduplicationWindow)}`
  return sql`shown(id) as materialized (select coalesce(known.reblog_of_id, known.id)
    from (${latest}) late cross join statuses known on known.id = late.status_id)`
}
