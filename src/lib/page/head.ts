import { Parser } from 'htmlparser2'
import { decoderOf, isDecidedBy } from './charset'

/** The head of a page: decoded and unchecked. */
export interface PageHead {
  /** By lower-case name or property; of several the first with any content. */
  readonly meta: ReadonlyMap<string, string>
  readonly title: string
  readonly language: string
  readonly canonical: string
  /** URL of its oEmbed document. */
  readonly oembed: string
  /** JSON-LD blocks. */
  readonly data: readonly string[]
}

const MAX_OPEN_ELEMENTS = 512
const MAX_TITLE_CHARACTERS = 2_000
const MAX_META_CHARACTERS = 8_192
const MAX_DATA_CHARACTERS = 131_072
const MAX_DATA_PARTS = 5

const names: ReadonlySet<string> = new Set([
  'og:title',
  'og:description',
  'og:url',
  'og:site_name',
  'og:locale',
  'og:image',
  'og:image:url',
  'og:image:secure_url',
  'og:image:alt',
  'twitter:title',
  'twitter:description',
  'twitter:image',
  'twitter:image:src',
  'twitter:image:alt',
  'twitter:player',
  'twitter:player:width',
  'twitter:player:height',
  'description',
  'author',
  'article:author',
  'article:published_time',
  'fediverse:creator',
])

const oembedTypes = /^(?:application|text)\/json\+oembed\b/i

/** Parses a page from a stream, up to the end of its head. Time is linear in its bytes for any input. */
export class HeadReader {
  readonly #contentType: string
  #prefix: Uint8Array = new Uint8Array()
  /** Bytes from which on the charset is looked for again: looking at each piece would take time by its square. */
  #nextLook = 1_024
  #decoder: TextDecoder | null = null
  readonly #meta = new Map<string, string>()
  readonly #data: string[] = []
  #dataLeft = MAX_DATA_CHARACTERS
  #title: string | null = null
  #language = ''
  #canonical = ''
  #oembed = ''
  #text: 'title' | 'data' | null = null
  #depth = 0
  #hasEnded = false
  readonly #parser: Parser

  constructor(contentType: string) {
    this.#contentType = contentType
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => this.#take(text),
      onclosetag: (name) => this.#close(name),
    })
  }

  /** Parses the next bytes; true once the rest of the page is irrelevant. */
  write(bytes: Uint8Array): boolean {
    if (this.#hasEnded) return true
    if (this.#decoder === null) {
      this.#prefix = joined(this.#prefix, bytes)
      if (this.#prefix.byteLength < this.#nextLook) return false
      this.#nextLook = 2 * this.#prefix.byteLength
      if (isDecidedBy(this.#contentType, this.#prefix)) this.#begin()
    } else this.#parse(this.#decoder.decode(bytes, { stream: true }))
    return this.#hasEnded
  }

  /** Returns the head as far as it was read. */
  finish(): PageHead {
    if (this.#decoder === null) this.#begin()
    if (!this.#hasEnded) this.#parser.end()
    return {
      meta: this.#meta,
      title: this.#title ?? '',
      language: this.#language,
      canonical: this.#canonical,
      oembed: this.#oembed,
      data: this.#data,
    }
  }

  #begin(): void {
    this.#decoder = decoderOf(this.#contentType, this.#prefix)
    this.#parse(this.#decoder.decode(this.#prefix, { stream: true }))
  }

  #parse(text: string): void {
    if (!this.#hasEnded) this.#parser.write(text)
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1
    // No honest head nests so deep, and each further level makes closing tags slower.
    if (name === 'body' || this.#depth > MAX_OPEN_ELEMENTS) this.#end()
    else if (name === 'html') this.#language ||= attributes['lang'] ?? ''
    else if (name === 'meta') this.#note(attributes)
    else if (name === 'link') this.#link(attributes)
    else if (name === 'title' && this.#title === null) this.#beginText('title')
    else if (name === 'script' && isData(attributes)) this.#beginText('data')
  }

  #close(name: string): void {
    this.#depth -= 1
    this.#text = null
    if (name === 'head') this.#end()
  }

  #end(): void {
    this.#hasEnded = true
    this.#parser.pause()
  }

  #note(attributes: Readonly<Record<string, string>>): void {
    const content = attributes['content'] ?? ''
    for (const spelled of [attributes['property'], attributes['name']]) {
      const name = (spelled ?? '').trim().toLowerCase()
      if (names.has(name) && content.trim() !== '' && !this.#meta.has(name))
        this.#meta.set(name, content.slice(0, MAX_META_CHARACTERS))
    }
  }

  #link(attributes: Readonly<Record<string, string>>): void {
    const relations = (attributes['rel'] ?? '').toLowerCase().split(/\s+/)
    const target = (attributes['href'] ?? '').trim()
    if (relations.includes('canonical')) this.#canonical ||= target
    if (relations.includes('alternate') && oembedTypes.test(attributes['type'] ?? '')) this.#oembed ||= target
  }

  #beginText(kind: 'title' | 'data'): void {
    if (kind === 'data' && this.#data.length >= MAX_DATA_PARTS) return
    this.#text = kind
    if (kind === 'data') this.#data.push('')
    else this.#title = ''
  }

  #take(text: string): void {
    if (this.#text === 'title')
      this.#title = ((this.#title ?? '') + text.slice(0, MAX_TITLE_CHARACTERS)).slice(0, MAX_TITLE_CHARACTERS)
    if (this.#text !== 'data') return
    const part = text.slice(0, this.#dataLeft)
    this.#dataLeft -= part.length
    this.#data.push((this.#data.pop() ?? '') + part)
  }
}

function isData(attributes: Readonly<Record<string, string>>): boolean {
  return (attributes['type'] ?? '').trim().toLowerCase() === 'application/ld+json'
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.byteLength + other.byteLength)
  both.set(one)
  both.set(other, one.byteLength)
  return both
}
