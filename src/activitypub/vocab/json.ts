import { parseWebAddress } from '../../lib/web-address'

/** An object of a document of others. Its values are anything: read them through the functions of this file. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Something a document names: by its id, by a copy of it, or by a copy that has no id. */
export interface Reference {
  readonly id: string | null
  /** The copy that came along. It proves nothing: whoever wrote the document wrote it. */
  readonly document: JsonObject | null
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether a document can be read without its context: an object with a plain `type`.
 *
 * Graphs and expanded or prefixed keys (`@type`, `as:type`) mean the same to software that follows contexts; nobody
 * sends them, and half understanding them is how two readers come to disagree.
 */
export function isPlainDocument(document: unknown): document is JsonObject {
  return isObject(document) && !('@graph' in document) && typesOf(document).length > 0
}

/** A property as a list, whether it holds nothing, one thing or many; what is beyond `max` is not looked at. */
export function listOf(value: unknown, max: number): readonly unknown[] {
  if (Array.isArray(value)) return value.length > max ? value.slice(0, max) : value
  return value === undefined || value === null ? [] : [value]
}

export function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}

/** The objects of a property that holds one or many. */
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

/** The first type of an object that is one of `known`. */
export function typeAmong<Known extends string>(object: JsonObject, known: readonly Known[]): Known | null {
  for (const type of typesOf(object)) {
    const found = known.find((name) => name === type)
    if (found !== undefined) return found
  }
  return null
}

/** The web address of a property that holds it, or an object with that id, or a list that begins with either. */
export function idOf(value: unknown): string | null {
  const first = firstOf(value)
  if (typeof first === 'string') return parseWebAddress(first)
  const id = isObject(first) ? first['id'] : null
  return typeof id === 'string' ? parseWebAddress(id) : null
}

/** The web addresses of a property that holds one or many, each once. */
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

/** A boolean, also where somebody writes it as a word. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/** No count of anything is greater: twenty of these together still fit into the 32 bits many apps read them into. */
const mostCounted = 100_000_000

/** A whole number from 0 on, the greatest counts cut short; null for anything else. */
export function countOf(value: unknown): number | null {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  return isCount ? Math.min(value, mostCounted) : null
}

/** The size of a collection that is written out; null for one that is only named. */
export function totalOf(collection: unknown): number | null {
  const described = firstOf(collection)
  return isObject(described) ? countOf(described['totalItems']) : null
}

/** A number within `min` and `max`, both included. */
export function numberWithin(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && value >= min && value <= max ? value : null
}
