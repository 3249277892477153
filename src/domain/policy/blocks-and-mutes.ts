import { type SQL, sql } from 'drizzle-orm'
import type { AccountId } from '../../lib/ids'
import { bindViewer, type ViewerRef } from '../core/viewer'
import type { AccountAlias } from './account-visibility'
import { type BlockAndMuteRules, blockRules, blockSql, blockText } from './block-predicates'
import { publicInDiscovery, type StatusAlias, visibleTo } from './visibility'

/** An account involved in an event: author, actor or mentioned account. */
export interface InvolvedAccount {
  readonly id: AccountId
  /** Null for local accounts. */
  readonly domain: string | null
  /** The event shows text of the account, not only its interaction. */
  readonly isAuthor: boolean
}

/**
 * Place of display: feeds of followed accounts and lists, discovery (public and hashtag timelines), or notifications
 * and conversations.
 */
export type DisplayContext = 'feed' | 'public' | 'notice'

/**
 * Whether these rules hide the event from their owner. For live events: the twin of `notBlockedOrMutedBy`,
 * `allowedInDiscovery` and `senderNotBlockedOrMuted`, and of the block rule of `canSee`.
 *
 * Ignores limits by moderators: statuses of limited authors are never streamed to discovery timelines.
 */
export function isHidden(
  rules: BlockAndMuteRules,
  about: { readonly people: readonly InvolvedAccount[]; readonly language: string | null },
  { place, now }: { readonly place: DisplayContext; readonly now: Date },
): boolean {
  const mutes = place === 'notice' ? blockRules.mutesNotifications : blockRules.mutes
  const isUnwelcome = ({ id, domain, isAuthor }: InvolvedAccount) =>
    blockRules.blocks(rules, id) ||
    (isAuthor && blockRules.blockedBy(rules, id)) ||
    blockRules.blocksDomain(rules, domain) ||
    mutes(rules, id, now)
  if (about.people.some(isUnwelcome)) return true
  const { languages } = rules
  return place === 'public' && about.language !== null && languages !== null && !languages.has(about.language)
}

/**
 * Condition that leaves out of timelines the accounts a viewer blocks or mutes (until the mute expires), domains they
 * block, and reblogs of such accounts' statuses. No access rule: the status itself can still be fetched.
 */
export function notBlockedOrMutedBy(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  if (!viewer.signedIn) return sql`1`
  const shared = `(select hidden.account_id from statuses hidden where hidden.id = ${alias}.reblog_of_id)`
  const condition = `(${notBlockedMutedOrDomainBlocked(`${alias}.account_id`)}
    and (${alias}.reblog_of_id is null or ${notBlockedMutedOrDomainBlocked(shared)}))`
  return bindViewer(viewer, condition, now)
}

/** Condition on one account, given as constant SQL: not blocked, not muted, not of a domain the viewer blocks. */
export function authorNotBlockedOrMuted(viewer: ViewerRef, now: Date, account: string): SQL {
  return bindViewer(viewer, notBlockedMutedOrDomainBlocked(account), now)
}

/** `authorNotBlockedOrMuted` for the accounts row `alias`, which is not read again for its domain. */
export function accountNotBlockedOrMuted(viewer: ViewerRef, now: Date, alias: AccountAlias): SQL {
  const condition = `(${neitherBlockedNorMuted(`${alias}.id`)}
    and not ${blockText.blocksDomain('me.id', `${alias}.domain`)})`
  return bindViewer(viewer, condition, now)
}

function notBlockedMutedOrDomainBlocked(account: string): string {
  return `(${neitherBlockedNorMuted(account)}
    and not ${blockText.blocksDomainOf('me.id', account)})`
}

function neitherBlockedNorMuted(account: string): string {
  return `not ${blockText.blocks('me.id', account)}
    and not ${blockText.mutes('me.id', account, 'me.now')}`
}

/**
 * Whether the status may appear in discovery for this viewer: the condition of `notBlockedOrMutedBy`, and no statuses of
 * authors limited by moderators, but for their followers and themselves.
 *
 * Both rules need the author's row, which is read once for the two.
 */
export function allowedInDiscovery(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  return allowedAmongOthers(viewer, now, { alias, exempt: '' })
}

/** `allowedInDiscovery` for threads, where limited accounts see each other, as in Mastodon. */
export function allowedInThread(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  const isLimited =
    'exists (select 1 from accounts mine where mine.id = me.id and mine.silenced_at is not null)'
  return allowedAmongOthers(viewer, now, { alias, exempt: ` and not ${isLimited}` })
}

/** `exempt`: further condition for leaving out a limited author. */
function allowedAmongOthers(
  viewer: ViewerRef,
  now: Date,
  { alias, exempt }: { readonly alias: StatusAlias; readonly exempt: string },
): SQL {
  const author = `${alias}.account_id`
  if (!viewer.signedIn)
    return sql.raw(`not exists (
      select 1 from accounts silenced where silenced.id = ${author} and silenced.silenced_at is not null)`)
  const shared = `(select hidden.account_id from statuses hidden where hidden.id = ${alias}.reblog_of_id)`
  // Tokens of applications have no account: `is not` holds for its null.
  const condition = `(${neitherBlockedNorMuted(author)}
    and not exists (select 1 from accounts unwelcome where unwelcome.id = ${author} and (
      (unwelcome.silenced_at is not null and unwelcome.id is not me.id and not exists (
        select 1 from follows where follows.account_id = me.id and follows.target_account_id = ${author})${exempt})
      or ${blockText.blocksDomain('me.id', 'unwelcome.domain')}))
    and (${alias}.reblog_of_id is null or ${notBlockedMutedOrDomainBlocked(shared)}))`
  return bindViewer(viewer, condition, now)
}

/**
 * Condition: the viewer's own block, mute or domain block leaves out the status, which anybody may read. Blocks by the
 * author make no difference, so that a count of such statuses says nothing about them.
 */
export function hiddenByOwnRules(viewer: ViewerRef, now: Date): SQL {
  const author = 's.account_id'
  const condition = `(${blockText.blocks('me.id', author)} or ${blockText.mutes('me.id', author, 'me.now')}
    or ${blockText.blocksDomainOf('me.id', author)})`
  return sql`(s.visibility in ('public', 'unlisted') and not exists (select 1 from accounts limited
      where limited.id = s.account_id and (limited.suspended_at is not null or limited.silenced_at is not null))
    and ${bindViewer(viewer, condition, now)})`
}

/** True if the viewer blocks or mutes anybody, or blocks a domain. */
export function hasOwnRules(viewer: ViewerRef): SQL {
  return bindViewer(viewer, blockText.hasAny('me.id'))
}

/** Whether the viewer may see the status and it may appear in discovery for them. */
export function visibleInDiscovery(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  return viewer.signedIn
    ? sql`${visibleTo(viewer, alias)} and ${allowedInDiscovery(viewer, now, alias)}`
    : publicInDiscovery(alias)
}

/**
 * Whether notifications by `account` reach the viewer: not from accounts they block or mute with notifications, domains
 * they block, and suspended accounts.
 */
export function senderNotBlockedOrMuted(viewer: ViewerRef, now: Date | SQL, account: SQL): SQL {
  const me = viewer.id
  const time = now instanceof Date ? now.getTime() : now
  return sql`(not ${blockSql.blocks(me, account)}
    and not ${blockSql.mutesNotifications(me, account, time)}
    and not exists (select 1 from accounts sender where sender.id = ${account} and (sender.suspended_at is not null
      or ${blockSql.blocksDomain(me, sql`sender.domain`)})))`
}
