import { IntlMessageFormat } from 'intl-messageformat'
import type english from '../../public/messages/en.json'
import { directionOf, type PageLanguage } from './page-language'

/** Key of a text, as `settings.appearance.timeZone`: texts are in `public/messages`, by language. */
export type TextKey = keyof typeof english

/** Texts of one language by their keys. */
export type Catalogue = Readonly<Partial<Record<TextKey, string>>>

type Values = Readonly<Record<string, string | number>>

type RichValues<Part> = Record<string, Part | string | number | ((words: (Part | string)[]) => Part)>

/**
 * Translates texts of pages, mails and push messages, which are ICU messages.
 *
 * @example t('common.countPosts', { count })
 */
export interface TranslateText {
  (key: TextKey, values?: Values): string
  readonly language: PageLanguage
  readonly direction: 'ltr' | 'rtl'
}

/** Translates texts, also with parts that are no strings: elements of a page, names in a mail. */
export interface Translate<Part> extends TranslateText {
  /** A tag `<link>` in the text is what the function `link` makes of the words in it. */
  rich(key: TextKey, values: RichValues<Part>): (Part | string)[]
}

/** Parsed messages of this isolate; their number is that of the texts in the source, times languages. */
const parsed = new Map<string, IntlMessageFormat>()

export function createTranslate<Part>(language: PageLanguage, catalogue: Catalogue): Translate<Part> {
  const textOf = (key: TextKey) => catalogue[key] ?? wordsOf(key)
  const translate = (key: TextKey, values?: Values): string =>
    values === undefined ? textOf(key) : String(messageOf(language, textOf(key), 'text').format(values))
  return Object.assign(translate, {
    rich: (key: TextKey, values: RichValues<Part>): (Part | string)[] => {
      const parts = messageOf(language, textOf(key), 'rich').format<Part>(values)
      return Array.isArray(parts) ? parts : [parts]
    },
    language,
    direction: directionOf(language),
  })
}

/** Words of a key, for pages whose catalogue could not be read: "Time zone" for `field.timeZone.hint`. */
function wordsOf(key: TextKey): string {
  const name =
    key
      .replace(/\.hint$/, '')
      .split('.')
      .at(-1) ?? key
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

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

/** Text for a stored value. One that this version does not know is shown as it is stored. */
export function storedText(t: TranslateText, key: TextKey | null | undefined, stored: string): string {
  return key === null || key === undefined ? stored : t(key)
}
