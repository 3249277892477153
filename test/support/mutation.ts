/** Random numbers that a seed determines, so that a failure can be repeated. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to `end`. */
  below(end: number): number {
    return Math.floor(this.roll() * end)
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0]
  }

  chance(probability: number): boolean {
    return this.roll() < probability
  }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A place in a document. */
interface MutationPoint {
  readonly read: () => Json
  readonly write: (value: Json) => void
  readonly drop: () => void
}

/** Values that mutations insert. */
export interface DocumentPool {
  /** Ids of people, posts and collections, of this server and others. */
  readonly ids: readonly [string, ...string[]]
  /** Other documents, of which parts are taken. */
  readonly documents: readonly [string, ...string[]]
}

const oddities: readonly [Json, ...Json[]] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  2 ** 53 + 2,
  4_294_967_296,
  '',
  ' ',
  '\u0000',
  'null',
  '\ud800',
  '\udfff\ud800',
  '\u202egnp.exe',
  'a\u0000b',
  '𝔘𝔫𝔦',
  '🏳️‍🌈',
  'İstanbul',
  'ﬁ',
  '\u200b',
  '\uFFFE',
  'Infinity',
  '1e999',
  '__proto__',
  'constructor',
  "'; drop table statuses; --",
  '%00',
  '../../x',
  '{{x}}',
  '9999-12-31T23:59:59Z',
  '-000001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2026-13-45T99:99:99Z',
  'P1Y',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
  'https://[::1]/',
  'https://127.0.0.1/x',
  '//evil.test/x',
  'https://evil.test:99999/',
  'HTTPS://MASTODON.TEST/users/rosa',
  'https://mastodon.test/users/rosa/../rosa',
  'as:Public',
  'Public',
  'https://www.w3.org/ns/activitystreams#Public',
  'x'.repeat(20_000),
  '#'.repeat(500),
  '<script>alert(1)</script>',
  '<'.repeat(3_000),
  '&'.repeat(3_000),
  '<p>'.repeat(2_000),
  '@a@b '.repeat(500),
  [],
  {},
  [[]],
  [null],
  [{}],
  [[[[[]]]]],
  { id: null },
  { type: [] },
  { '@id': 'x' },
  { '@value': 1 },
  { '@list': [] },
]

const types: readonly [string, ...string[]] = [
  'Create',
  'Update',
  'Delete',
  'Announce',
  'Like',
  'EmojiReact',
  'Follow',
  'Accept',
  'Reject',
  'Undo',
  'Block',
  'Flag',
  'Move',
  'Add',
  'Remove',
  'QuoteRequest',
  'Note',
  'Question',
  'Article',
  'Person',
  'Tombstone',
  'Collection',
  'OrderedCollection',
  'Image',
  'Mention',
  'Hashtag',
  'Emoji',
  'Key',
  'ChatMessage',
  'toString',
]

type Mutation = (random: SeededRandom, place: MutationPoint, pool: DocumentPool) => void

const mutations: readonly [Mutation, ...Mutation[]] = [
  (_, place) => place.drop(),
  (random, place) => place.write(random.pick(oddities)),
  (random, place, { ids }) => place.write(random.pick(ids)),
  (random, place, { ids }) => place.write({ id: random.pick(ids), type: random.pick(types) }),
  (random, place) => place.write(random.pick(types)),
  (_, place) => place.write([place.read()]),
  (_, place) => place.write([place.read(), place.read()]),
  (_, place) => place.write({ id: place.read() }),
  (random, place) => place.write(nested(place.read(), 1 + random.below(200))),
  (random, place, pool) => place.write(partOf(random, pool)),
  (_, place) => place.write(turned(place.read())),
]

/** A text that is like the document, and in a few places is not. */
export function mutate(random: SeededRandom, text: string, pool: DocumentPool): string {
  const holder: Json[] = [parsed(text)]
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const places = placesIn(holder)
    const [first, ...rest] = places
    if (first === undefined) break
    random.pick(mutations)(random, random.pick([first, ...rest]), pool)
  }
  return garble(random, JSON.stringify(holder[0] ?? null))
}

/** Mutates the JSON text: doubled keys, numbers out of range, a truncated end. */
function garble(random: SeededRandom, text: string): string {
  if (random.chance(0.03)) return text.slice(0, random.below(text.length))
  if (random.chance(0.03)) return text.replace(/:\s*\d+/, ':1e999')
  if (random.chance(0.08)) {
    const pairs = text.match(/"[^"\\]+":"[^"\\]*"/g) ?? []
    const [first, ...rest] = pairs
    return first === undefined || !text.startsWith('{')
      ? text
      : `{${random.pick([first, ...rest])},${text.slice(1)}`
  }
  return text
}

function placesIn(value: Json): readonly MutationPoint[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [
      {
        read: () => value[index] ?? null,
        write: (next: Json) => void value.splice(index, 1, next),
        drop: () => void value.splice(index, 1),
      },
      ...placesIn(item),
    ])
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((key) => [
    {
      read: () => value[key] ?? null,
      write: (next: Json) => void Object.assign(value, { [key]: next }),
      drop: () => void Reflect.deleteProperty(value, key),
    },
    ...placesIn(value[key] ?? null),
  ])
}

function nested(value: Json, depth: number): Json {
  let found = value
  for (let left = depth; left > 0; left -= 1) found = left % 2 === 0 ? [found] : { object: found }
  return found
}

function partOf(random: SeededRandom, { documents }: DocumentPool): Json {
  const places = placesIn(parsed(random.pick(documents)))
  const [first, ...rest] = places
  return first === undefined ? null : random.pick([first, ...rest]).read()
}

/** Converts a value to another JSON type. */
function turned(value: Json): Json {
  if (typeof value === 'string') return value.length
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return { ...value }
  return typeof value === 'object' && value !== null ? Object.values(value) : [value, !value]
}

function parsed(text: string): Json {
  const value: Json = JSON.parse(text)
  return value
}
