import type { PageLanguage } from './page-language'

/** Day before month in English, as most of the world writes. */
export function localeOf(language: PageLanguage): string {
  return language === 'en' ? 'en-GB' : language
}

/** Calendar day as text, the same one in every time zone. */
export function dayWords(language: PageLanguage, day: string | Date): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )
}

/** Date and time as text, in UTC and marked so. */
export function momentWords(language: PageLanguage, moment: Date): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(moment)
}
