import type { Look } from '../../contract/look'
import type { UserSettings } from '../../db/schema/accounts'
import type { QuotePolicy, Visibility } from '../../db/schema/statuses'
import { knownLanguage } from '../../lib/language'

/** Defaults for posting and reading. */
export interface Preferences {
  readonly visibility: Visibility
  readonly sensitive: boolean
  /** Chosen language, or the locale of the user. */
  readonly language: string | null
  readonly quotePolicy: QuotePolicy
  readonly expandMedia: Look['media']
  readonly expandSpoilers: boolean
  readonly autoplayGifs: boolean
  readonly remindsOfDescriptions: boolean
}

/** Settings of a user with defaults filled in: locked accounts post to followers by default. */
export function preferencesOf(person: {
  readonly settings: UserSettings
  readonly locked: boolean
  readonly locale: string
}): Preferences {
  const { settings, locked, locale } = person
  return {
    visibility: settings.defaultVisibility ?? (locked ? 'private' : 'public'),
    sensitive: settings.defaultSensitive ?? false,
    language: settings.defaultLanguage ?? knownLanguage(locale),
    quotePolicy: settings.defaultQuotePolicy ?? 'public',
    expandMedia: settings.expandMedia ?? 'default',
    expandSpoilers: settings.expandSpoilers ?? false,
    autoplayGifs: settings.autoplayGifs ?? false,
    remindsOfDescriptions: settings.remindsOfDescriptions ?? false,
  }
}
