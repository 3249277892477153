import type { Config } from '../../config'
import type { NotificationFallback } from '../../contract/entities/notification'
import { acctOf, profileUrl } from '../../lib/addresses'
import { escapeHtml } from '../../lib/html'
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
  const texts = fallbackTexts(config, facts)
  return texts === null ? {} : { fallback: { ...texts, details: null, description: null } }
}

function fallbackTexts(config: Config, facts: NotificationFacts) {
  const { sender, severance, warning, report, collection } = facts
  const who = linkTo(config, sender)
  switch (facts.notification.type) {
    case 'admin.sign_up':
      return { title: `${who} signed up`, summary: null }
    case 'admin.report':
      if (report === null) return null
      return {
        title: `${who} reported ${linkTo(config, report.target)}`,
        summary: textOrNull(report.report.comment),
      }
    case 'severed_relationships': {
      if (severance === null) return null
      const { target, followersCount: followers, followingCount: following } = severance
      return {
        title: `You lost followers or people you follow because of ${escapeHtml(target)}`,
        summary: `${followers} of your followers, and ${following} whom you followed`,
      }
    }
    case 'moderation_warning':
      return { title: 'You have received a moderation warning', summary: textOrNull(warning?.text ?? '') }
    case 'added_to_collection':
      return { title: `${who} added you to a collection`, summary: textOrNull(collection?.name ?? '') }
    case 'collection_update':
      return { title: `${who} changed a collection you are in`, summary: textOrNull(collection?.name ?? '') }
    default:
      return null
  }
}

function textOrNull(text: string): string | null {
  return text === '' ? null : escapeHtml(text)
}

function linkTo({ origin }: Config, account: AccountFacts): string {
  const url = account.url ?? account.uri ?? profileUrl(origin, account.username)
  return `<span class="h-card" translate="no"><a href="${escapeHtml(url)}" class="u-url mention">@<span>${escapeHtml(acctOf(account))}</span></a></span>`
}
