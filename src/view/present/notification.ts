import type { Config } from '../../config'
import { acctOf, profileUrl } from '../../contract/addresses'
import type {
  Account,
  PartialAccountWithAvatar,
  RelationshipSeveranceEvent,
} from '../../contract/entities/account'
import type {
  GroupedNotificationsResults,
  Notification,
  NotificationFallback,
  NotificationGroup,
} from '../../contract/entities/notification'
import type { AccountWarning } from '../../contract/entities/report'
import { notificationKind, pushTitle } from '../../contract/notification-kinds'
import { sanitisedHtmlToText } from '../../domain/policy/filters/keyword-index'
import { escapeHtml } from '../../lib/html'
import type { TranslateText } from '../../lib/translate'
import type { AccountBundle, AccountFacts } from '../load/accounts'
import type {
  NotificationBundle,
  NotificationFacts,
  SeveranceFacts,
  WarningFacts,
} from '../load/notifications'
import type { PushFacts } from '../load/pushes'
import { defaultAvatarUrl, staticUrl } from '../urls'
import { accountEntity, presentAccount } from './account'
import { presentCollection } from './collection'
import { appealState, reportEntity } from './report'
import { type PresentContext, presentStatus } from './status'
import { timestamp } from './time'

/** Presents the notifications of a bundle in its order. `supported`: the types the app declared, if it did. */
export function presentNotifications(
  showing: PresentContext,
  bundle: NotificationBundle,
  supported: readonly string[] | null = null,
): Notification[] {
  return bundle.notifications.map((facts) => ({
    ...presentNotification(showing, bundle, facts),
    ...presentFallback(showing.config, facts, supported),
  }))
}

/** Presents a notification with the account that caused it and its subject. */
export function presentNotification(
  showing: PresentContext,
  bundle: NotificationBundle,
  facts: NotificationFacts,
): Notification {
  const { notification, sender, role } = facts
  const { id, type, groupKey, statusId, filtered } = notification
  const status = statusId === null ? null : presentStatus(showing, bundle.statuses, statusId)
  const account = accountEntity(showing.config, sender, role)
  return {
    id: String(id),
    type,
    group_key: groupKey ?? `ungrouped-${id}`,
    created_at: timestamp(notification.createdAt),
    // The status shown counts among those of its author.
    account: status?.account.id === account.id ? status.account : account,
    ...(status === null ? {} : { status }),
    ...presentSubject(showing.config, facts),
    ...(filtered ? { filtered } : {}),
  }
}

/** Counts and ids of a group. */
export interface GroupFigures {
  readonly key: string
  readonly count: number
  readonly newestId: number
  /** The oldest member that belongs to the page. */
  readonly oldestOnPageId: number
  readonly sampleIds: readonly number[]
}

export interface GroupsToShow {
  readonly groups: readonly GroupFigures[]
  /** The newest notification of each group. */
  readonly newest: NotificationBundle
  /** Every account the groups name. */
  readonly people: AccountBundle
  /** True for a page of groups, false for a single group. */
  readonly isPage: boolean
  /** Whether every account but the newest of each group is presented by its avatar only. */
  readonly partial: boolean
  /** Notification types that the app declared as supported, if it did. */
  readonly supported: readonly string[] | null
}

/**
 * Presents groups with the accounts and statuses they name, each once. Groups whose subject the viewer may not
 * see are left out.
 */
export function presentGroups(showing: PresentContext, shown: GroupsToShow): GroupedNotificationsResults {
  const facts = new Map(shown.newest.notifications.map((one) => [one.notification.id, one]))
  const visible = shown.groups.flatMap((group) => {
    const newest = facts.get(group.newestId)
    return newest === undefined ? [] : [{ group, newest }]
  })
  const named = visible.map(({ group }) => group.sampleIds.filter((id) => shown.people.accounts.has(id)))
  const whole = new Set(shown.partial ? named.flatMap(([first]) => first ?? []) : named.flat())
  const rest = [...new Set(named.flat())].filter((id) => !whole.has(id))
  const entity = (id: number) => presentAccount(showing.config, shown.people, id)
  const statusIds = new Set(visible.flatMap(({ newest }) => newest.notification.statusId ?? []))
  return {
    accounts: [...whole].map(entity),
    ...(shown.partial ? { partial_accounts: rest.map((id) => partialOf(entity(id))) } : {}),
    statuses: [...statusIds].map((id) => presentStatus(showing, shown.newest.statuses, id)),
    notification_groups: visible.map(({ group, newest }, index) => ({
      ...presentGroup(group, newest, { sampleIds: named[index] ?? [], isPage: shown.isPage }),
      ...presentSubject(showing.config, newest),
      ...presentFallback(showing.config, newest, shown.supported),
    })),
  }
}

function presentGroup(
  { key, count, newestId, oldestOnPageId }: GroupFigures,
  { notification }: NotificationFacts,
  { sampleIds, isPage }: { readonly sampleIds: readonly number[]; readonly isPage: boolean },
): NotificationGroup {
  const { type, statusId, subjectId, createdAt } = notification
  return {
    group_key: key,
    notifications_count: count,
    type,
    most_recent_notification_id: newestId,
    ...(isPage
      ? {
          page_min_id: String(oldestOnPageId),
          page_max_id: String(newestId),
          latest_page_notification_at: timestamp(createdAt),
        }
      : {}),
    sample_account_ids: sampleIds.map(String),
    ...(statusId === null ? {} : { status_id: String(statusId) }),
    ...(type === 'annual_report' ? { annual_report: { year: String(subjectId) } } : {}),
  }
}

function partialOf(account: Account): PartialAccountWithAvatar {
  const { id, acct, url, avatar, avatar_static, avatar_description, locked, bot } = account
  return { id, acct, url, avatar, avatar_static, avatar_description, locked, bot }
}

/**
 * Presents a fallback for a notification type the app does not know; `supported` lists the types it does. Null:
 * the app sent no list and gets no fallback. Types older than the parameter have none (docs
 * methods/notifications#get).
 */
function presentFallback(
  config: Config,
  facts: NotificationFacts,
  supported: readonly string[] | null,
): { fallback?: NotificationFallback } {
  if (supported === null || supported.includes(facts.notification.type)) return {}
  const words = wordsFor(config, facts)
  return words === null ? {} : { fallback: { ...words, details: null, description: null } }
}

function wordsFor(config: Config, facts: NotificationFacts) {
  const { fallbackTitle } = notificationKind(facts.notification.type)
  const subject = subjectWords(config, facts)
  if (fallbackTitle === null || subject === null) return null
  const names = new Map([
    ['{sender}', linkTo(config, facts.sender)],
    ['{target}', subject.target ?? ''],
  ])
  const title = fallbackTitle.replaceAll(/\{\w+\}/g, (place) => names.get(place) ?? place)
  return { title, summary: subject.summary }
}

/** Name or link of the target, and a summary of the subject; null where the subject is gone. */
function subjectWords(
  config: Config,
  { notification, severance, warning, report, collection }: NotificationFacts,
): { readonly target?: string; readonly summary: string | null } | null {
  switch (notificationKind(notification.type).subject) {
    case 'report':
      if (report === null) return null
      return { target: linkTo(config, report.target), summary: textOrNull(report.report.comment) }
    case 'severance': {
      if (severance === null) return null
      const { target, followersCount: followers, followingCount: following } = severance
      return {
        target: escapeHtml(target),
        summary: `${followers} of your followers, and ${following} whom you followed`,
      }
    }
    case 'warning':
      return { summary: textOrNull(warning?.text ?? '') }
    case 'collection-item':
    case 'collection':
      return { summary: textOrNull(collection?.name ?? '') }
    default:
      return { summary: null }
  }
}

function textOrNull(text: string): string | null {
  return text === '' ? null : escapeHtml(text)
}

function linkTo({ origin }: Config, account: AccountFacts): string {
  const url = account.url ?? account.uri ?? profileUrl(origin, account.username)
  return `<span class="h-card" translate="no"><a href="${escapeHtml(url)}" class="u-url mention">@<span>${escapeHtml(acctOf(account))}</span></a></span>`
}

/**
 * Presents the subject of a notification other than a status, under the keys that notifications and groups
 * share.
 */
function presentSubject(config: Config, facts: NotificationFacts) {
  const { severance, warning, report, collection } = facts
  return {
    ...(severance === null ? {} : { event: presentSeverance(severance) }),
    // Warnings have no sender: the recipient is stored as sender, and is the target of the warning.
    ...(warning === null ? {} : { moderation_warning: presentWarning(config, warning, facts) }),
    ...(report === null
      ? {}
      : { report: reportEntity(report.report, accountEntity(config, report.target, null)) }),
    ...(collection === null ? {} : { collection: presentCollection(config, collection) }),
  }
}

function presentSeverance(facts: SeveranceFacts): RelationshipSeveranceEvent {
  const { id, type, target, followersCount, followingCount, createdAt, purged } = facts
  return {
    id: String(id),
    type,
    target_name: target,
    purged,
    followers_count: followersCount,
    following_count: followingCount,
    created_at: timestamp(createdAt),
  }
}

function presentWarning(
  config: Config,
  { id, action, text, statusIds, createdAt, appeal }: WarningFacts,
  { sender, role }: NotificationFacts,
): AccountWarning {
  return {
    id: String(id),
    action,
    text,
    status_ids: statusIds?.map(String) ?? null,
    target_account: accountEntity(config, sender, role),
    appeal: appeal === null ? null : { text: appeal.text, state: appealState(appeal) },
    created_at: timestamp(createdAt),
  }
}

const most = { title: 120, body: 140, icon: 1_000 }

/**
 * Builds the payload of a push notification, as Mastodon's clients read it: never more than fits into one
 * message. Text behind a content warning is left out.
 */
export function presentPush(
  config: Config,
  facts: PushFacts,
  { accessToken, t }: { readonly accessToken: string; readonly t: TranslateText },
) {
  const { notification, sender, locale, about } = facts
  const name = lineOf(sender.displayName, most.title) || sender.username
  const words =
    about === null
      ? sanitisedHtmlToText(sender.noteHtml)
      : about.spoilerText || sanitisedHtmlToText(about.content)
  const own = sender.avatar === null ? defaultAvatarUrl(config) : staticUrl(config, sender.avatar, sender.id)
  return {
    access_token: accessToken,
    preferred_locale: locale === '' ? 'en' : locale,
    // A number, as in Mastodon: its own apps read nothing else.
    notification_id: notification.id,
    notification_type: notification.type,
    icon: own.length > most.icon ? defaultAvatarUrl(config) : own,
    title: lineOf(pushTitle(t, notification.type, name), most.title),
    body: lineOf(words, most.body),
    ...(facts.subscription.accessTokenId === null ? presentBrowserPush(facts) : {}),
  }
}

/** Presents what the service worker of this server reads besides: the page to open, and what a later message replaces. */
function presentBrowserPush({ notification, sender, about }: PushFacts) {
  const { id, type, groupKey } = notification
  const person = `/@${acctOf(sender)}`
  const page =
    about?.author == null ? (type === 'follow' ? person : '/notifications') : `/@${about.author}/${about.id}`
  return {
    url: type === 'follow_request' ? '/follow_requests' : page,
    tag: groupKey ?? `notification-${id}`,
  }
}

/** Collapses text to one line of at most `mostCharacters`. A character takes six bytes at most, escaped. */
function lineOf(text: string, mostCharacters: number): string {
  // Only the beginning of a long text is processed.
  const line = text
    .slice(0, mostCharacters * 8)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  const characters = [...line]
  return characters.length <= mostCharacters ? line : `${characters.slice(0, mostCharacters - 1).join('')}…`
}
