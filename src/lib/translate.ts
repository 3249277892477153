import { IntlMessageFormat } from 'intl-messageformat'
import { directionOf, type PageLanguage } from './page-language'

/** Translations by the English text: the words of one language. */
export type Catalogue = Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>

type RichValues<Part> = Record<string, Part | string | number | ((words: (Part | string)[]) => Part)>

/**
 * Translates texts of pages, mails and push messages, which are ICU messages in English. A text without translation
 * stays English.
 *
 * @example t('{count, plural, one {# post} other {# posts}}', { count })
 */
export interface TranslateText {
  (text: string, values?: Values): string
  readonly language: PageLanguage
  readonly direction: 'ltr' | 'rtl'
}

/** Translates texts, also with parts that are no strings: elements of a page, names in a mail. */
export interface Translate<Part> extends TranslateText {
  /** A tag `<link>` in the text is what the function `link` makes of the words in it. */
  rich(text: string, values: RichValues<Part>): (Part | string)[]
}

/** Parsed messages of this isolate; their number is that of the texts in the source, times languages. */
const parsed = new Map<string, IntlMessageFormat>()

/** Marks a text that is translated elsewhere: where a value says what a page or a mail will show. */
export function message<const T extends string>(text: T): T {
  return text
}

export function createTranslate<Part>(language: PageLanguage, catalogue: Catalogue): Translate<Part> {
  const translated = (text: string) => (Object.hasOwn(catalogue, text) ? (catalogue[text] ?? text) : text)
  const translate = (text: string, values?: Values): string => {
    const words = translated(text)
    return values === undefined ? words : String(messageOf(language, words, 'text').format(values))
  }
  return Object.assign(translate, {
    rich: (text: string, values: RichValues<Part>): (Part | string)[] => {
      const parts = messageOf(language, translated(text), 'rich').format<Part>(values)
      return Array.isArray(parts) ? parts : [parts]
    },
    language,
    direction: directionOf(language),
  })
}

/** Translation into English, which apps and scripts read: messages as they are written. */
export const inEnglish: TranslateText = createTranslate<never>('en', {})

/** Names of values that people or servers chose: "@ada", "#birds", "The Hedge". */
const chosenNames = /\{(?:handle|headline|list|name|site|tag|target|title)\}/g

/**
 * A name in letters from left to right would take the sign before it to its other end in a text from right to left: it
 * is isolated, as `<bdi>` does.
 */
function isolated(language: PageLanguage, words: string): string {
  return directionOf(language) === 'ltr' ? words : words.replaceAll(chosenNames, '\u2068$&\u2069')
}

function messageOf(language: PageLanguage, words: string, form: 'text' | 'rich'): IntlMessageFormat {
  const key = `${language} ${form} ${words}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const made = new IntlMessageFormat(isolated(language, words), language, undefined, {
    ignoreTag: form === 'text',
  })
  parsed.set(key, made)
  return made
}
