/**
 * The part of Structured Fields (RFC 9651) that signatures and digests use: dictionaries of items and of inner
 * lists. Stricter than the RFC in one point: a duplicate key fails instead of replacing the first, so that no
 * two parsers of one message can disagree.
 */

export type BareItem =
  | { readonly kind: 'string' | 'token'; readonly value: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'boolean'; readonly value: boolean }

export type Parameters = ReadonlyMap<string, BareItem>

export interface Item {
  readonly kind: 'item'
  readonly bare: BareItem
  readonly parameters: Parameters
}

export interface InnerList {
  readonly kind: 'list'
  readonly items: readonly Item[]
  readonly parameters: Parameters
}

export type Dictionary = ReadonlyMap<string, Item | InnerList>

/** Parses a dictionary; null if invalid. */
export function parseDictionary(text: string): Dictionary | null {
  try {
    return dictionaryIn(new Reader(text.trim()))
  } catch (failure) {
    if (failure instanceof Malformed) return null
    throw failure
  }
}

export function serialiseList(list: InnerList): string {
  return `(${list.items.map(serialiseItem).join(' ')})${serialiseParameters(list.parameters)}`
}

export function serialiseItem(item: Item): string {
  return serialiseBare(item.bare) + serialiseParameters(item.parameters)
}

export function text(value: string): BareItem {
  return { kind: 'string', value }
}

class Malformed extends Error {}

const keyPattern = /[a-z*][a-z0-9_.*-]*/y
const optionalSpaces = /[ \t]*/y

class Reader {
  readonly #text: string
  #at = 0

  constructor(source: string) {
    this.#text = source
  }

  get ended(): boolean {
    return this.#at >= this.#text.length
  }

  /** Consumes what matches at the current position, or returns null. */
  try(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }

  take(pattern: RegExp): string {
    const found = this.try(pattern)
    if (found === null) throw new Malformed()
    return found[1] ?? found[0]
  }
}

function dictionaryIn(reader: Reader): Dictionary {
  const members = new Map<string, Item | InnerList>()
  while (!reader.ended) {
    const key = reader.take(keyPattern)
    if (members.has(key)) throw new Malformed()
    members.set(key, memberIn(reader))
    reader.take(optionalSpaces)
    if (reader.ended) break
    reader.take(/,[ \t]*/y)
    if (reader.ended) throw new Malformed()
  }
  return members
}

function memberIn(reader: Reader): Item | InnerList {
  if (reader.try(/=/y) === null) return itemOf({ kind: 'boolean', value: true }, reader)
  return reader.try(/\(/y) === null ? itemOf(bareIn(reader), reader) : listIn(reader)
}

function listIn(reader: Reader): InnerList {
  const items: Item[] = []
  reader.take(/ */y)
  while (reader.try(/\)/y) === null) {
    items.push(itemOf(bareIn(reader), reader))
    reader.take(/ +|(?=\))/y)
  }
  return { kind: 'list', items, parameters: parametersIn(reader) }
}

function itemOf(bare: BareItem, reader: Reader): Item {
  return { kind: 'item', bare, parameters: parametersIn(reader) }
}

function parametersIn(reader: Reader): Parameters {
  const found = new Map<string, BareItem>()
  while (reader.try(/; */y) !== null) {
    const key = reader.take(keyPattern)
    if (found.has(key)) throw new Malformed()
    found.set(key, reader.try(/=/y) === null ? { kind: 'boolean', value: true } : bareIn(reader))
  }
  return found
}

function bareIn(reader: Reader): BareItem {
  const string = reader.try(/"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y)
  if (string !== null) return text((string[1] ?? '').replaceAll(/\\(["\\])/g, '$1'))
  const integer = reader.try(/-?\d{1,15}(?![\d.])/y)
  if (integer !== null) return { kind: 'integer', value: Number(integer[0]) }
  const bytes = reader.try(/:([A-Za-z0-9+/=]*):/y)
  if (bytes !== null) return { kind: 'bytes', value: bytesFrom(bytes[1] ?? '') }
  const flag = reader.try(/\?([01])/y)
  if (flag !== null) return { kind: 'boolean', value: flag[1] === '1' }
  return { kind: 'token', value: reader.take(/[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y) }
}

function bytesFrom(base64: string): Uint8Array {
  const bytes = decodeBase64(base64)
  if (bytes === null) throw new Malformed()
  return bytes
}

/** Decodes base64; null if invalid. */
export function decodeBase64(base64: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(base64)
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}

function serialiseParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([key, bare]) =>
      bare.kind === 'boolean' && bare.value ? `;${key}` : `;${key}=${serialiseBare(bare)}`,
    )
    .join('')
}

function serialiseBare(bare: BareItem): string {
  switch (bare.kind) {
    case 'string':
      return `"${bare.value.replaceAll(/["\\]/g, '\\$&')}"`
    case 'bytes':
      return `:${bare.value.toBase64()}:`
    case 'boolean':
      return bare.value ? '?1' : '?0'
    default:
      return String(bare.value)
  }
}
