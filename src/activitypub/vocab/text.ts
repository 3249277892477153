import { htmlToText } from '../../lib/html'
import { knownLanguage } from '../../lib/language'
import { withoutControls } from '../../lib/text/controls'
import { firstOf, isObject, type JsonObject } from './json'

const MAX_LANGUAGES = 100

const lineBreaks = /[\t\n\u2028\u2029]+/g
const element = /<\/?[a-z!]/i
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,31}\d{0,2});/i

/** Text and, where stated, its language. */
export interface LocalizedText {
  readonly text: string
  readonly language: string | null
}

/**
 * Reads the text under `key` or, by language, under `keyMap`: both, or either, may be present.
 *
 * With several languages the one equal to the text under `key` counts, else the first.
 */
export function localizedTextOf(
  object: JsonObject,
  key: 'content' | 'summary' | 'name',
): LocalizedText | null {
  const plain = stringOf(object[key])
  const map = object[`${key}Map`]
  const versions = isObject(map) ? map : {}
  const words = Object.keys(versions)
    .slice(0, MAX_LANGUAGES)
    .flatMap((tag) => {
      const text = stringOf(versions[tag])
      return text === null ? [] : [{ text, language: knownLanguage(tag) }]
    })
  if (plain === null) return words[0] ?? null
  const same = words.find(({ text }) => text === plain) ?? (words.length === 1 ? words[0] : undefined)
  return { text: plain, language: same?.language ?? null }
}

/**
 * Reads a string, the first of a list of strings, or the value of a JSON-LD literal, without control characters; null where
 * absent. Every text that people read comes through here.
 */
export function stringOf(value: unknown): string | null {
  const first = firstOf(value)
  const text = isObject(first) ? first['@value'] : first
  const clean = typeof text === 'string' ? withoutControls(text) : ''
  return clean === '' ? null : clean
}

/** Reads one line of plain text. WordPress escapes titles as if they were HTML; text with a `<` is not escaped. */
export function singleLineOf(value: unknown, maxCharacters: number): string {
  const text = truncate(stringOf(value) ?? '', maxCharacters * 4)
  const words = entity.test(text) && !text.includes('<') ? htmlToText(text) : text
  return truncate(words.replace(lineBreaks, ' ').trim(), maxCharacters)
}

/** Plain text of one or more lines; some software sends HTML where the vocabulary requires plain text. */
export function plainTextOf(value: unknown, maxCharacters: number): string {
  const text = truncate(stringOf(value) ?? '', maxCharacters * 4)
  const words = element.test(text) || entity.test(text) ? htmlToText(text) : text.trim()
  return truncate(words, maxCharacters)
}

/** Truncates a text without splitting a surrogate pair. */
export function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text.toWellFormed()
  const code = text.charCodeAt(maxCharacters - 1)
  const splits = code >= 0xd800 && code <= 0xdbff
  return text.slice(0, splits ? maxCharacters - 1 : maxCharacters).toWellFormed()
}
