import type { Account, PartialAccountWithAvatar } from '../../contract/entities/account'
import type { GroupedNotificationsResults, NotificationGroup } from '../../contract/entities/notification'
import type { AccountBundle } from '../load/accounts'
import type { NotificationBundle, NotificationFacts } from '../load/notifications'
import { presentAccount } from './account'
import { presentFallback } from './notification-fallback'
import { type PresentContext, presentStatus } from './status'
import { presentSubject } from './subject'
import { timestamp } from './time'

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
