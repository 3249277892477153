import type { Child } from 'hono/jsx'
import english from '../../public/messages/en.json'
import { createTranslate } from '../../src/lib/translate'
import { LocalizedContext } from '../../src/web/i18n/context'

/** Translation into English, as pages and mails have it. */
export const inEnglish = createTranslate<Child>('en', english)

interface NamedPage {
  readonly name: string
  readonly page: Child
}

/** Pages that no request renders, in English. */
export function inEnglishPages(pages: readonly NamedPage[]): readonly NamedPage[] {
  const reader = { language: 'en', timeZone: 'UTC' } as const
  return pages.map(({ name, page }) => ({
    name,
    page: <LocalizedContext.Provider value={{ reader, t: inEnglish }}>{page}</LocalizedContext.Provider>,
  }))
}
