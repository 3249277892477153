import type { Config } from '../../config'
import type { NotificationFallback } from '../../contract/entities/notification'
import { acctOf, profileUrl } from '../../lib/addresses'
import { escapeHtml } from '../../lib/html'
import { notificationKind } from '../../lib/notifications/kinds'
import type { AccountFacts } from '../load/accounts'
import type { NotificationFacts } from '../load/notifications'

/**
 * Presents a fallback for a notification type the app does not know; `supported` lists the types it does. Null:
 * the app sent no list and gets no fallback. Types older than the parameter have none (docs
 * methods/notifications#get).
 */
export function presentFallback(
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
