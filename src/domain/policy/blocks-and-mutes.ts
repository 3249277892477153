import { type SQL, sql } from 'drizzle-orm'
import type { AccountId } from '../../lib/ids'
import { bindViewer, type ViewerRef } from '../core/viewer'
import type { AccountAlias } from './account-visibility'
import { publicInDiscovery, type StatusAlias, visibleTo } from './visibility'

/** All that keeps others and what they write from somebody, to be held against what happens while they listen. */
export interface BlockAndMuteRules {
  readonly blocks: ReadonlySet<AccountId>
  /** Who hides from them: not their choice, but a right of others. */
  readonly blockedBy: ReadonlySet<AccountId>
  readonly mutes: ReadonlyMap<AccountId, Mute>
  readonly domains: ReadonlySet<string>
  /** Null: all of them. */
  readonly languages: ReadonlySet<string> | null
}

export interface Mute {
  readonly hidesNotifications: boolean
  readonly expiresAt: Date | null
}

/** Does it hold still? */
export function isMuteActive({ expiresAt }: Mute, now: Date): boolean {
  return expiresAt === null || expiresAt > now
}

/** Somebody who has to do with what happens. */
export interface InvolvedAccount {
  readonly id: AccountId
  /** Null for people of this server. */
  readonly domain: string | null
  /** Are their words shown, and not only their deed? */
  readonly isAuthor: boolean
}

/**
 * Where it would be shown: in feeds of followed people and lists, among what nobody asked for (public timelines and
 * those of hashtags), or as a notification or conversation.
 */
export type DisplayContext = 'feed' | 'public' | 'notice'

/**
 * Is this hidden from whom the rules belong to? The twin of `notBlockedOrMutedBy`, `allowedInPublicTimeline` and `senderNotBlockedOrMuted`,
 * and of what `canSee` says of blocks, for what is shown the moment it happens.
 *
 * Of authors whom moderators limited it knows nothing: those are not put before listeners unasked at all.
 */
export function isHidden(
  rules: BlockAndMuteRules,
  about: { readonly people: readonly InvolvedAccount[]; readonly language: string | null },
  { place, now }: { readonly place: DisplayContext; readonly now: Date },
): boolean {
  const isMuted = (mute: Mute | undefined) =>
    mute !== undefined && isMuteActive(mute, now) && (place !== 'notice' || mute.hidesNotifications)
  const isUnwelcome = ({ id, domain, isAuthor }: InvolvedAccount) =>
    rules.blocks.has(id) ||
    (isAuthor && rules.blockedBy.has(id)) ||
    (domain !== null && rules.domains.has(domain)) ||
    isMuted(rules.mutes.get(id))
  if (about.people.some(isUnwelcome)) return true
  const { languages } = rules
  return place === 'public' && about.language !== null && languages !== null && !languages.has(about.language)
}

/**
 * What a viewer chose not to meet in timelines: people they block or mute (until the mute ends), domains they
 * block, and reblogs of such people's statuses. Not a right: a direct look at the status still works.
 */
export function notBlockedOrMutedBy(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  if (!viewer.signedIn) return sql`1`
  const shared = `(select hidden.account_id from statuses hidden where hidden.id = ${alias}.reblog_of_id)`
  const condition = `(${notBlockedMutedOrDomainBlocked(`${alias}.account_id`)}
    and (${alias}.reblog_of_id is null or ${notBlockedMutedOrDomainBlocked(shared)}))`
  return bindViewer(viewer, condition, now)
}

/** The same for one account, given as constant SQL: not blocked, not muted, not of a domain the viewer blocks. */
export function authorNotBlockedOrMuted(viewer: ViewerRef, now: Date, account: string): SQL {
  return bindViewer(viewer, notBlockedMutedOrDomainBlocked(account), now)
}

/** The same for the accounts row called `alias`, which need not be read again for its domain. */
export function accountNotBlockedOrMuted(viewer: ViewerRef, now: Date, alias: AccountAlias): SQL {
  const condition = `(${neitherBlockedNorMuted(`${alias}.id`)}
    and not exists (select 1 from account_domain_blocks blocked
      where blocked.account_id = me.id and blocked.domain = ${alias}.domain))`
  return bindViewer(viewer, condition, now)
}

function notBlockedMutedOrDomainBlocked(account: string): string {
  return `(${neitherBlockedNorMuted(account)}
    and not exists (select 1 from account_domain_blocks blocked join accounts there on there.domain = blocked.domain
      where blocked.account_id = me.id and there.id = ${account}))`
}

function neitherBlockedNorMuted(account: string): string {
  return `not exists (select 1 from blocks where blocks.account_id = me.id and blocks.target_account_id = ${account})
    and not exists (select 1 from mutes where mutes.account_id = me.id and mutes.target_account_id = ${account}
      and (mutes.expires_at is null or mutes.expires_at > me.now))`
}

/**
 * May the status be put before this viewer, who did not ask for its author? Not what `notBlockedOrMutedBy` leaves out,
 * and nothing by authors whom moderators limited, but for their followers and themselves.
 *
 * Both rules look at the author, and together they read that row once.
 */
export function allowedInDiscovery(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  const author = `${alias}.account_id`
  if (!viewer.signedIn)
    return sql.raw(`not exists (
      select 1 from accounts silenced where silenced.id = ${author} and silenced.silenced_at is not null)`)
  const shared = `(select hidden.account_id from statuses hidden where hidden.id = ${alias}.reblog_of_id)`
  // The token of an application has no person behind it: `is not` holds for the null that stands for one.
  const condition = `(${neitherBlockedNorMuted(author)}
    and not exists (select 1 from accounts unwelcome where unwelcome.id = ${author} and (
      (unwelcome.silenced_at is not null and unwelcome.id is not me.id and not exists (
        select 1 from follows where follows.account_id = me.id and follows.target_account_id = ${author}))
      or exists (select 1 from account_domain_blocks blocked
        where blocked.account_id = me.id and blocked.domain = unwelcome.domain)))
    and (${alias}.reblog_of_id is null or ${notBlockedMutedOrDomainBlocked(shared)}))`
  return bindViewer(viewer, condition, now)
}

/** May the viewer see the status, and may it be put before them unasked? */
export function visibleInDiscovery(viewer: ViewerRef, now: Date, alias: StatusAlias = 's'): SQL {
  return viewer.signedIn
    ? sql`${visibleTo(viewer, alias)} and ${allowedInDiscovery(viewer, now, alias)}`
    : publicInDiscovery(alias)
}

/**
 * May notifications by `account` reach the viewer? Not those of people they block or mute along with their
 * notifications, of domains they block, and of suspended accounts.
 */
export function senderNotBlockedOrMuted(viewer: ViewerRef, now: Date, account: SQL): SQL {
  const me = viewer.id
  return sql`(not exists (select 1 from blocks where blocks.account_id = ${me} and blocks.target_account_id = ${account})
    and not exists (select 1 from mutes where mutes.account_id = ${me} and mutes.target_account_id = ${account}
      and mutes.hide_notifications = 1 and (mutes.expires_at is null or mutes.expires_at > ${now.getTime()}))
    and not exists (select 1 from accounts sender where sender.id = ${account} and (sender.suspended_at is not null
      or exists (select 1 from account_domain_blocks blocked
        where blocked.account_id = ${me} and blocked.domain = sender.domain))))`
}
