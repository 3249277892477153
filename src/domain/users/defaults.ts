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
  readonly expandMedia: 'default' | 'show_all' | 'hide_all'
  readonly expandSpoilers: boolean
  readonly autoplayGifs: boolean
}

/** The settings of a person with the defaults filled in: those who approve followers post to them. */
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
  }
}
