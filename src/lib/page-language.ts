import { preferredLanguages } from './request-headers'

/** Languages that pages are written in. English is that of the source; each other has a catalogue in public/messages. */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const

export type PageLanguage = (typeof pageLanguages)[number]

/** The page language of a tag: `de-AT` is `de`, `pt` has none. */
export function pageLanguageOf(tag: string): PageLanguage | null {
  const [primary] = tag.trim().toLowerCase().split(/[-_]/, 1)
  return pageLanguages.find((language) => language === primary) ?? null
}

/** The first language of pages among those that `Accept-Language` prefers; English without any. */
export function preferredPageLanguage(acceptLanguage: string | null): PageLanguage {
  for (const preferred of preferredLanguages(acceptLanguage?.slice(0, 200))) {
    const language = pageLanguageOf(preferred)
    if (language !== null) return language
  }
  return 'en'
}

export function directionOf(language: PageLanguage): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
