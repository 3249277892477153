import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import type { statuses, Visibility } from '../../db/schema/statuses'
import type { Mention } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import { bindViewer, type ViewerRef } from '../core/viewer'
import { blockText } from './block-predicates'

/** Alias of a statuses row in hand-written SQL. */
export type StatusAlias = 's' | 'original' | 'parent' | 'statuses'

/** Columns of a status that the rule needs. */
export interface VisibilitySubject {
  readonly accountId: AccountId
  readonly visibility: Visibility
  readonly localOnly: boolean
}

/** Relation of a viewer to a status and its author. */
export interface VisibilityFacts {
  readonly authorSuspended: boolean
  readonly blockedByAuthor: boolean
  readonly followsAuthor: boolean
  readonly mentioned: boolean
  /** The viewer is a local account. */
  readonly isLocal: boolean
}

/**
 * Whether `viewer` (null: anonymous) may see this status. The one visibility rule; `visibleTo` is its twin in SQL.
 *
 * A reblog is visible when both it and the reblogged status are.
 */
export function canSee(viewer: AccountId | null, status: VisibilitySubject, facts: VisibilityFacts): boolean {
  if (facts.authorSuspended) return false
  if (viewer !== null && status.accountId === viewer) return true
  if (status.localOnly && !facts.isLocal) return false
  if (facts.blockedByAuthor) return false
  if (status.visibility === 'public' || status.visibility === 'unlisted') return true
  if (viewer === null) return false
  if (facts.mentioned) return true
  return status.visibility === 'private' && facts.followsAuthor
}

interface Versioned extends Pick<VisibilitySubject, 'accountId' | 'visibility'> {
  readonly mentions: readonly Mention[]
}

/**
 * Time from which a viewer who sees the status may read its versions, in milliseconds. Zero: all versions.
 *
 * Versions older than the edit that mentioned the viewer were for others. A viewer who is neither mentioned nor the
 * author reads the latest version only.
 */
export function readableSince(
  viewer: AccountId | null,
  { accountId, visibility, mentions }: Versioned,
  { followsAuthor }: Pick<VisibilityFacts, 'followsAuthor'>,
): number {
  if (visibility === 'public' || visibility === 'unlisted' || viewer === accountId) return 0
  if (visibility === 'private' && followsAuthor) return 0
  const mention = mentions.find(({ id }) => id === viewer)
  return mention === undefined ? Number.POSITIVE_INFINITY : (mention.since ?? 0)
}

/** `canSee` as a condition on the statuses row called `alias`, and on what that row reblogs. */
export function visibleTo(viewer: ViewerRef, alias: StatusAlias = 's'): SQL {
  if (!viewer.signedIn) return sql.raw(withReblogged(alias, visibleToAll))
  return bindViewer(viewer, withReblogged(alias, visibleToMe))
}

/** `visibleTo` for anonymous viewers, without limited authors: the author's row is read once for both. */
export function publicInDiscovery(alias: StatusAlias = 's'): SQL {
  return sql.raw(`(${isPublicOrUnlisted(alias)} and not exists (select 1 from accounts limited
      where limited.id = ${alias}.account_id and (limited.suspended_at is not null or limited.silenced_at is not null))
    and ${rebloggedMeets(alias, visibleToAll)})`)
}

/** `visibleTo` for anonymous viewers, of authors known not to be suspended. */
function publicByActiveAuthor(alias: StatusAlias = 's'): SQL {
  return sql.raw(`(${isPublicOrUnlisted(alias)} and ${rebloggedMeets(alias, visibleToAll)})`)
}

/** `visibleTo` for statuses of authors known not to be suspended, whose rows are not read for each. */
export function visibleByActiveAuthor(viewer: ViewerRef, alias: StatusAlias = 's'): SQL {
  if (!viewer.signedIn) return publicByActiveAuthor(alias)
  return bindViewer(viewer, `(${relatedToMe(alias)} and ${rebloggedMeets(alias, visibleToMe)})`)
}

// Constant text that names the viewer once, as `me`: building and parsing the rules for every request was a fifth of the
// cost of a home page.

function withReblogged(alias: StatusAlias, rule: (s: string) => string): string {
  return `(${rule(alias)} and ${rebloggedMeets(alias, rule)})`
}

function rebloggedMeets(alias: StatusAlias, rule: (s: string) => string): string {
  return `(${alias}.reblog_of_id is null or exists (
    select 1 from statuses shared where shared.id = ${alias}.reblog_of_id and ${rule('shared')}))`
}

function visibleToAll(s: string): string {
  return `(${isPublicOrUnlisted(s)} and ${authorActive(s)})`
}

function isPublicOrUnlisted(s: string): string {
  return `${s}.visibility in ('public', 'unlisted') and ${s}.local_only = 0`
}

function visibleToMe(s: string): string {
  return `(${authorActive(s)} and ${relatedToMe(s)})`
}

/** The rule for members, of authors known not to be suspended. */
function relatedToMe(s: string): string {
  return `(${s}.account_id = me.id or (
    (${s}.local_only = 0 or exists (select 1 from users where users.account_id = me.id))
    and not ${blockText.blocks(`${s}.account_id`, 'me.id')}
    and (${s}.visibility in ('public', 'unlisted')
      or exists (select 1 from status_mentions
        where status_mentions.status_id = ${s}.id and status_mentions.account_id = me.id)
      or (${s}.visibility = 'private' and exists (select 1 from follows
        where follows.account_id = me.id and follows.target_account_id = ${s}.account_id)))))`
}

/**
 * Part of the rule that may empty whole pages of a feed: no statuses of suspended authors.
 *
 * For selections whose loader checks every row with `canSee` and whose entries were written under the rule.
 */
export function authorNotSuspended(alias: StatusAlias = 's'): SQL {
  return sql.raw(authorActive(alias))
}

function authorActive(s: string): string {
  return `not exists (
    select 1 from accounts suspended where suspended.id = ${s}.account_id and suspended.suspended_at is not null)`
}

/**
 * Statuses that moderators read about an account without a report: public and quiet public ones, also those that stay on
 * this server, of suspended authors, and of authors who block the moderator. Others are read as evidence alone.
 */
export function visibleToModerators(alias: StatusAlias = 's'): SQL {
  return sql.raw(`${alias}.visibility in ('public', 'unlisted')`)
}

declare const visible: unique symbol
declare const own: unique symbol

export type StatusRow = typeof statuses.$inferSelect

/** A status proven to be visible to its viewer. Only made by this module. */
export type VisibleStatus = StatusRow & { readonly [visible]: true }

/** A status of the viewer's own. Only made by this module. */
export type OwnStatus = VisibleStatus & { readonly [own]: true }

/** Brands a row selected by a statement with `visibleTo` in its condition. For `find` modules. */
export function asSelectedVisible(row: StatusRow): VisibleStatus {
  return row as VisibleStatus
}

/** Brands the status as the viewer's own; null for a status of another account. */
export function asOwn(viewer: AccountId, row: StatusRow): OwnStatus | null {
  return row.accountId === viewer ? (row as OwnStatus) : null
}

/** Reblogs of one status up to which they are sorted to find the latest. */
const mostSorted = 100

/** Column of a new reblog of the status `original`: it is one of very many. */
export function isReblogOfMany(original: StatusId): SQL<boolean> {
  return sql<boolean>`coalesce((select reblogs_count from statuses where id = ${original}) >= ${mostSorted}, 0)`
}

/**
 * The latest `most` reblogs of the status `original`, as rows (id), the latest first. An index by time would be written for
 * each reblog: it has those that came to very many, and once it has enough of them, the others are not read.
 */
export function latestReblogs(original: StatusId, most: number): SQL {
  const enough = mostSorted + most
  const isMany = sql`(select reblogs_count from statuses where id = ${original}) > ${enough}`
  return sql`select id from (
      select id from (select r.id as id from statuses r where r.reblog_of_id = ${original} and r.reblog_of_many = 1
        order by r.id desc ${limitTo(most)})
      union select id from (select r.id as id from statuses r where r.reblog_of_id = ${original}
        order by r.account_id limit (select iif(${isMany}, 0, ${enough}))))
    order by id desc ${limitTo(most)}`
}

// The index of the followers of an account has two parts, in the words below: followers that one inbox is known to
// reach, and all others. Local followers are among the others; so are the few remote ones without a known inbox.

/** Condition: the follow row `f` is in the part of the index with the local followers. */
export function isInLocalPart(f: string): SQL {
  return sql.raw(`(${f}.inbox_id is null) = 1`)
}

/** Condition: the follow row `f` names the inbox that reaches the follower. */
export function hasKnownInbox(f: string): SQL {
  return sql.raw(`(${f}.inbox_id is null) = 0`)
}

/** Condition: the follow row `f` is in either part. Lets a range of ids be read in both. */
export function isInEitherPart(f: string): SQL {
  return sql.raw(`(${f}.inbox_id is null) in (0, 1)`)
}

/** The latest followers of `target` as rows (account_id, id), newest first: either part of the index is in this order. */
export function latestFollowers(target: SQL, most: number): SQL {
  const part = (isInPart: SQL) => sql`select * from (select f.account_id, f.id from follows f
    where f.target_account_id = ${target} and ${isInPart} order by f.id desc ${limitTo(most)})`
  return sql`select account_id, id from (${part(isInLocalPart('f'))} union all ${part(hasKnownInbox('f'))})
    order by id desc ${limitTo(most)}`
}

/** Inbox id for a follow by `follower`: null for local and suspended accounts. */
export function inboxIdOf(follower: AccountId | SQL): SQL<number | null> {
  return sql<number | null>`(select inboxes.id from remote_actors r
    cross join accounts a on a.id = r.account_id and a.suspended_at is null
    cross join inboxes on inboxes.url = coalesce(r.shared_inbox, r.inbox) where r.account_id = ${follower})`
}
