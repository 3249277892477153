import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { limitTo } from '../../db/query'
import {
  accounts,
  follows,
  homeEntries,
  listAccounts,
  lists,
  statuses,
  statusTags,
  tagFollows,
  tags,
} from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import { type AccountId, firstIdAt, idEpoch, type StatusId, type TagId } from '../../lib/ids'
import { blockSql } from '../policy/block-predicates'
import { latestReblogs } from '../policy/visibility'

// Feed eligibility as conditions on the status `s`: used for new statuses and for backfills.

/** The status, and the follow that it enters a feed by. */
export const entering = { s: alias(statuses, 's'), f: alias(follows, 'f') } as const
const { s, f } = entering
const a = alias(accounts, 'a')

const hasChosenLanguage = sql`(${f.languages} is null or ${s.language} is null or ${s.reblogOfId} is not null
  or ${s.language} in (select value from json_each(${f.languages})))`

const wantsReblogs = sql`(${s.reblogOfId} is null or ${f.showReblogs} = 1)`

/** Replies to the account itself continue what it says, and are no replies to others. */
const wantsReply = sql`(${s.inReplyToAccountId} is null
  or ${s.inReplyToAccountId} in (${s.accountId}, ${f.accountId}) or ${f.showReplies} = 1)`

/** True if the follow `f` lets the status `s` into the home feed by its kind and language. */
export const wantedAtHome = sql`(${wantsReblogs} and ${wantsReply} and ${hasChosenLanguage})`

/** True if the follow `f` lets the status `s` into lists by its kind and language. */
export const wantedInLists = sql`(${wantsReblogs} and ${hasChosenLanguage})`

/** Latest statuses of an account among which the one that a feed shows of a day is looked for. */
const latestOfDay = 40

const recent = alias(statuses, 'recent')
const same = alias(statuses, 'same')
const shown = alias(homeEntries, 'shown')

/** Selects the rest of the statuses by the author of `s` from the same UTC day, in the home feed of `owner`, as rows `same`. */
export function sameDayByAuthor(owner: SQL, more = sql`1`): SQL {
  const late = sql`select ${recent.id} as candidate from ${statuses} recent where ${recent.accountId} = ${s.accountId}
    order by ${recent.id} desc ${limitTo(latestOfDay)}`
  const day = sql.raw(String(dayMilliseconds))
  return sql`select ${same.id} from (${late}) late
    cross join ${homeEntries} shown on ${shown.accountId} = ${owner} and ${shown.statusId} = late.candidate
    cross join ${statuses} same on ${same.id} = late.candidate
    where ${same.id} <> ${s.id} and ${same.visibility} <> 'direct'
      and ${same.createdAt} / ${day} = ${s.createdAt} / ${day} and ${more}`
}

/** True if the status `same` of `sameDayByAuthor` came before the status `s`. */
export const isEarlier = sql`${same.id} < ${s.id}`

const isFirstOfDay = sql`(${f.fewer} = 0 or not exists (${sameDayByAuthor(sql`${f.accountId}`)}))`

const [kept, apart] = [alias(listAccounts, 'kept'), alias(lists, 'apart')]

/** True if exclusive lists of `owner` keep the status out of their home feed. */
function excludedFromHome(owner: SQL): SQL {
  return sql`exists (select 1 from ${listAccounts} kept cross join ${lists} apart on ${apart.id} = ${kept.listId}
    where ${kept.accountId} = ${s.accountId} and ${kept.ownerId} = ${owner} and ${apart.exclusive} = 1)`
}

/**
 * Whether the status `s` of a followed account may enter the home feed of `f.account_id`, by the follow `f`.
 *
 * Excluded: direct statuses, reblogs and replies where the follow hides them, languages not chosen, more than one status
 * of a day where the follow wants fewer, members of exclusive lists, replies to accounts the follower does not follow (except to the follower or to the author), and replies
 * to unknown statuses.
 */
export const eligibleForHome = sql`(
  ${s.visibility} <> 'direct' and ${s.inReplyToUri} is null
  and ${wantedAtHome}
  and (${s.inReplyToAccountId} is null or ${s.inReplyToAccountId} in (${s.accountId}, ${f.accountId})
    or exists (select 1 from follows known where known.account_id = ${f.accountId}
      and known.target_account_id = ${s.inReplyToAccountId}))
  and not ${excludedFromHome(sql`${f.accountId}`)}
  and ${isFirstOfDay})`

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
  and (m.owner_id = s.account_id or (f.id is not null and ${wantedInLists}))
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
  const author = sql`${s.accountId}`
  return sql`(${s.visibility} = 'public' and ${s.reblogOfId} is null and ${author} <> ${owner}
    and not ${blockSql.blocksEither(owner, author)}
    and not ${blockSql.mutes(owner, author, now)}
    and not exists (select 1 from ${accounts} a where ${a.id} = ${s.accountId} and (${a.silencedAt} is not null
      or ${a.suspendedAt} is not null or ${blockSql.blocksDomain(owner, sql`${a.domain}`)}))
    and not exists (select 1 from ${follows} f where ${f.accountId} = ${owner}
      and ${f.targetAccountId} = ${s.accountId} and not ${hasChosenLanguage})
    and not ${excludedFromHome(owner)})`
}

/** The follow of a hashtag that a status enters a home feed by, and the hashtag. */
export const tagged = { tf: alias(tagFollows, 'tf'), t: alias(tags, 't') } as const
const { tf, t } = tagged

/** The hashtags of the status `s`, as a source with rows `t`. */
export const tagsOfStatus = sql`json_each(${s.tags}) used cross join ${tags} t on ${t.name} = used.value ->> 'name'`

/** True if the follow `tf` of a hashtag is not snoozed at `now`, in milliseconds. */
export function isAwake(now: SQL | number): SQL {
  return sql`coalesce(${tf.snoozedUntil}, 0) <= ${now}`
}

/** True if `owner` follows a hashtag of the status `s` that is not snoozed at `now`, by a follow `tf` that meets `more`. */
export function hasFollowedTag(owner: SQL, now: SQL | number, more = sql`1`): SQL {
  return sql`exists (select 1 from ${tagsOfStatus} cross join ${tagFollows} tf
    on ${tf.tagId} = ${t.id} and ${tf.accountId} = ${owner} and ${isAwake(now)} and ${more})`
}

/** Ids of a UTC day: `idEpoch` is the beginning of one. */
const idsOfDay = sql.raw(String(firstIdAt(new Date(idEpoch + dayMilliseconds))))

/**
 * True if the status `s` is the first of its UTC day, or of a later one, that enters the home feed for the hashtag of the follow `tf`.
 * A first one that was deleted does not count.
 */
export const isFirstForTag = sql`(coalesce(${tf.lastShown}, 0) / ${idsOfDay} < ${s.id} / ${idsOfDay}
  or (${tf.lastShown} / ${idsOfDay} = ${s.id} / ${idsOfDay} and not exists (select 1 from ${homeEntries} shown
    where ${shown.accountId} = ${tf.accountId} and ${shown.statusId} = ${tf.lastShown})))`

/** True if the follow `tf` of a hashtag lets the status `s` into the home feed at `now`, beside `eligibleByTag`. */
export function wantedByTag(now: SQL | number): SQL {
  return sql`(${isAwake(now)} and (${tf.fewer} = 0 or ${isFirstForTag}))`
}

const other = alias(statuses, 'other')
const follow = alias(follows, 'follow')

/** True if the status `s` is no boost and neither by `owner` nor by an account they follow: it is in the home feed for a hashtag alone. */
export function isByStranger(owner: SQL, { accountId, reblogOfId }: typeof s | typeof other = s): SQL {
  return sql`(${accountId} <> ${owner} and ${reblogOfId} is null and not exists (select 1 from ${follows} follow
    where ${follow.accountId} = ${owner} and ${follow.targetAccountId} = ${accountId}))`
}

const [early, use] = [alias(homeEntries, 'early'), alias(statusTags, 'use')]

/**
 * Selects the ids of the statuses that the home feed of `owner` shows for the hashtag `tag` from the UTC day of the id `of`, the
 * earliest first.
 */
export function shownForTag(owner: AccountId, tag: TagId, of: SQL | number): SQL {
  // D1 binds numbers as large as ids as real ones.
  const day = sql`(cast(${of} as integer) / ${idsOfDay} * ${idsOfDay})`
  return sql`select ${early.statusId} from ${homeEntries} early
    cross join ${statusTags} use on ${use.statusId} = ${early.statusId} and ${use.tagId} = ${tag}
    cross join ${statuses} other on ${other.id} = ${early.statusId}
    where ${early.accountId} = ${owner} and ${early.statusId} >= ${day} and ${early.statusId} < ${day} + ${idsOfDay}
      and ${isByStranger(sql`${owner}`, other)} order by ${early.statusId}`
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
