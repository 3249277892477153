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
