import { htmlToText } from '../../lib/html'
import { knownLanguage } from '../../lib/language'
import { withoutControls } from '../../lib/text/bytes'
import { parseWebAddress } from '../../lib/web-address'

/** An object in a remote document. Its values are untrusted: read them through the functions of this file. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A referenced object: by id, by an inlined copy, or by a copy without id. */
export interface Reference {
  readonly id: string | null
  /** Inlined copy. Proves nothing: the author of the enclosing document wrote it. */
  readonly document: JsonObject | null
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether a document can be read without its context: an object with a plain `type`, as `normalise` makes it where a document
 * arrives.
 */
export function isPlainDocument(document: unknown): document is JsonObject {
  return isObject(document) && !('@graph' in document) && typesOf(document).length > 0
}

/** Reads a property as a list, whether absent, single or multiple; entries beyond `max` are ignored. */
export function listOf(value: unknown, max: number): readonly unknown[] {
  if (Array.isArray(value)) return value.length > max ? value.slice(0, max) : value
  return value === undefined || value === null ? [] : [value]
}

export function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}

/** Objects of a single or multiple property. */
export function objectsOf(value: unknown, max: number): readonly JsonObject[] {
  return listOf(value, max).filter(isObject)
}

const MAX_TYPES = 8

export function typesOf(object: JsonObject): readonly string[] {
  return listOf(object['type'], MAX_TYPES).filter((type) => typeof type === 'string')
}

export function hasType(object: JsonObject, type: string): boolean {
  return object['type'] === type || typesOf(object).includes(type)
}

/** First type of an object that is one of `known`. */
export function typeAmong<Known extends string>(object: JsonObject, known: readonly Known[]): Known | null {
  for (const type of typesOf(object)) {
    const found = known.find((name) => name === type)
    if (found !== undefined) return found
  }
  return null
}

/** Web address of a property: a string, an object's id, or the first of a list of either. */
export function idOf(value: unknown): string | null {
  const first = firstOf(value)
  if (typeof first === 'string') return parseWebAddress(first)
  const id = isObject(first) ? first['id'] : null
  return typeof id === 'string' ? parseWebAddress(id) : null
}

/** Web addresses of a single or multiple property, each once. */
export function idsOf(value: unknown, max: number): readonly string[] {
  const ids = listOf(value, max).flatMap((item) => idOf(item) ?? [])
  return ids.length > 1 ? [...new Set(ids)] : ids
}

export function referenceOf(value: unknown): Reference | null {
  const first = firstOf(value)
  const id = idOf(first)
  const document = isObject(first) ? first : null
  return id === null && document === null ? null : { id, document }
}

export function referencesOf(value: unknown, max: number): readonly Reference[] {
  return listOf(value, max).flatMap((item) => referenceOf(item) ?? [])
}

/** Reads a boolean, also as the string `true`. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Upper bound of counts: twenty of these together still fit into the 32 bits many apps read them into. */
const mostCounted = 100_000_000

/** Parses a count from 0 on, capped at the upper bound; null for any other value. */
export function countOf(value: unknown): number | null {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  return isCount ? Math.min(value, mostCounted) : null
}

/** Size of an inlined collection; null for one referenced by id. */
export function totalOf(collection: unknown): number | null {
  const described = firstOf(collection)
  return isObject(described) ? countOf(described['totalItems']) : null
}

/** Number within `min` and `max`, both included; null otherwise. */
export function numberWithin(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && value >= min && value <= max ? value : null
}

/** A document that cannot be parsed, and the reason: for logs only, not shown to users. */
export interface Unreadable {
  readonly unreadable: string
}

export function unreadable(reason: string): Unreadable {
  return { unreadable: reason }
}

export function isUnreadable<Read extends object>(read: Read | Unreadable): read is Unreadable {
  return 'unreadable' in read
}

const HOUR = 60 * 60 * 1000
// The time zones farthest ahead of UTC, read as UTC, and a clock that is two hours fast.
const MAX_AHEAD = 16 * HOUR

const form = /^\d{4}-\d\d-\d\d/

/** Parses an instant from 1970 on; null for invalid values. */
export function instantOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 64 || !form.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) || time < 0 ? null : new Date(time)
}

/** Parses an instant, capped at now: remote clocks may run fast. */
export function pastInstantOf(value: unknown, now: Date): Date | null {
  const instant = instantOf(value)
  return instant !== null && instant > now ? now : instant
}

/** Whether a date is further ahead than a wrong clock or time zone explains. */
export function liesAhead(value: unknown, now: Date): boolean {
  const instant = instantOf(value)
  return instant !== null && instant.getTime() > now.getTime() + MAX_AHEAD
}

const duration = /^PT?(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?$/

/** Seconds of an ISO 8601 duration without days; Funkwhale gives the number itself. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return value > 0 ? value : null
  const parts = typeof value === 'string' && value.length < 40 ? duration.exec(value) : null
  if (parts === null) return null
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || null
}

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
