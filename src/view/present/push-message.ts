import type { Config } from '../../config'
import { sanitisedHtmlToText } from '../../lib/filters/fold'
import { pushTitle } from '../../lib/push/wording'
import type { TranslateText } from '../../lib/translate'
import type { PushFacts } from '../load/pushes'
import { defaultAvatarUrl, staticUrl } from '../urls'

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
