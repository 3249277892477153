import { keptBy } from './kept-by'
import type { PageLanguage } from './page-language'

/** Day before month in English, as most of the world writes. */
export function localeOf(language: PageLanguage): string {
  return language === 'en' ? 'en-GB' : language
}

const formats = keptBy<Intl.DateTimeFormat>()

/** Calendar day as text, the same one in every time zone. */
export function dayWords(language: PageLanguage, day: string | Date): string {
  const make = () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return formats(`day ${language}`, make).format(new Date(day))
}

/** Date and time as text, in UTC and marked so. */
export function momentWords(language: PageLanguage, moment: Date): string {
  const make = () =>
    new Intl.DateTimeFormat(localeOf(language), {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    })
  return formats(`moment ${language}`, make).format(moment)
}
