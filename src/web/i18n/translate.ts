import type { Child } from 'hono/jsx'
import { IntlMessageFormat } from 'intl-messageformat'
import { directionOf, type PageLanguage } from '../../lib/page-language'

/** Translations by the English text: the words of pages in one language. */
export type Catalogue = Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>

type RichValues = Record<string, Child | ((words: Child[]) => Child)>

/**
 * Translates texts of pages, which are ICU messages in English. A text without translation stays English.
 *
 * @example t('{count, plural, one {# post} other {# posts}}', { count })
 */
export interface Translate {
  (text: string, values?: Values): string
  /**
   * Translates a text with elements in it: a tag `<link>` is what the function `link` makes of the words in it. Values
   * may be elements, too.
   */
  rich(text: string, values: RichValues): Child
  readonly language: PageLanguage
  readonly direction: 'ltr' | 'rtl'
}

/** Parsed messages of this isolate; their number is that of the texts in the source, times languages. */
const parsed = new Map<string, IntlMessageFormat>()

/** Marks a text that is translated elsewhere: where a value outside of components says what a page will show. */
export function message<const T extends string>(text: T): T {
  return text
}

export function createTranslate(language: PageLanguage, catalogue: Catalogue): Translate {
  const translated = (text: string) => (Object.hasOwn(catalogue, text) ? (catalogue[text] ?? text) : text)
  const translate = (text: string, values?: Values): string => {
    const words = translated(text)
    return values === undefined ? words : String(messageOf(language, words, 'text').format(values))
  }
  return Object.assign(translate, {
    rich: (text: string, values: RichValues): Child => {
      const parts = messageOf(language, translated(text), 'rich').format<Child>(values)
      return Array.isArray(parts) ? parts : [parts]
    },
    language,
    direction: directionOf(language),
  })
}

function messageOf(language: PageLanguage, words: string, form: 'text' | 'rich'): IntlMessageFormat {
  const key = `${language} ${form} ${words}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const made = new IntlMessageFormat(words, language, undefined, { ignoreTag: form === 'text' })
  parsed.set(key, made)
  return made
}
