import { Parser } from 'htmlparser2'
import { isLead } from './article'
import { BodyDataScanner } from './body-data'
import { decoderOf, isDecidedBy } from './charset'

/** The head of a page: decoded and unchecked. */
export interface PageHead {
  /** By lower-case name or property; of several the first with any content. */
  readonly meta: ReadonlyMap<string, string>
  readonly title: string
  readonly language: string
  readonly canonical: string
  /** URL of its oEmbed document, of which JSON is preferred to XML; null without one. */
  readonly oembed: { readonly url: string; readonly format: 'json' | 'xml' } | null
  /** JSON-LD blocks, those in the body included. */
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

const oembedTypes = /^\s*(?:application|text)\/(json|xml)\+oembed\b/i

/**
 * Parses a page from a stream: its head, and the JSON-LD of its body up to the part that describes it. Time is linear in
 * its bytes for any input.
 */
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
  #oembed = { json: '', xml: '' }
  #text: 'title' | 'data' | null = null
  #depth = 0
  readonly #body = new BodyDataScanner((data) => this.#takeBodyData(data))
  #isInBody = false
  #parsedCharacters = 0
  /** Whether the JSON-LD to use has been read: blocks after it have no effect. */
  #hasLead = false
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
    if (this.#isInBody) this.#body.scan()
    else if (!this.#hasEnded) this.#parser.end()
    const { json, xml } = this.#oembed
    return {
      meta: this.#meta,
      title: this.#title ?? '',
      language: this.#language,
      canonical: this.#canonical,
      oembed: json !== '' ? { url: json, format: 'json' } : xml !== '' ? { url: xml, format: 'xml' } : null,
      data: this.#data,
    }
  }

  #begin(): void {
    this.#decoder = decoderOf(this.#contentType, this.#prefix)
    this.#parse(this.#decoder.decode(this.#prefix, { stream: true }))
  }

  #parse(text: string): void {
    if (this.#hasEnded) return
    if (!this.#isInBody) this.#parser.write(text)
    if (this.#isInBody && !this.#hasEnded)
      this.#body.write(text.slice(Math.max(0, this.#parser.endIndex + 1 - this.#parsedCharacters)))
    this.#parsedCharacters += text.length
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1
    // No honest page nests so deep, and each further level makes closing tags slower.
    if (this.#depth > MAX_OPEN_ELEMENTS) this.#end()
    else if (name === 'script' && isData(attributes)) this.#beginText('data')
    else if (name === 'body') this.#endHead()
    else if (name === 'html') this.#language ||= attributes['lang'] ?? ''
    else if (name === 'meta') this.#note(attributes)
    else if (name === 'link') this.#link(attributes)
    else if (name === 'title' && this.#title === null) this.#beginText('title')
  }

  #close(name: string): void {
    this.#depth -= 1
    this.#endText()
    if (name === 'head') this.#endHead()
  }

  #endHead(): void {
    this.#isInBody = true
    this.#parser.pause()
    if (this.#isDataComplete()) this.#hasEnded = true
  }

  #takeBodyData(data: string): void {
    if (this.#hasEnded || this.#isDataComplete()) return
    this.#beginText('data')
    this.#take(data)
    this.#endText()
    if (this.#isDataComplete()) this.#hasEnded = true
  }

  #isDataComplete(): boolean {
    return this.#hasLead || this.#data.length >= MAX_DATA_PARTS || this.#dataLeft === 0
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
    const [, format] = oembedTypes.exec(attributes['type'] ?? '') ?? []
    if (format === undefined || !relations.includes('alternate')) return
    this.#oembed[format.toLowerCase() === 'json' ? 'json' : 'xml'] ||= target
  }

  #beginText(kind: 'title' | 'data'): void {
    if (kind === 'data' && this.#data.length >= MAX_DATA_PARTS) return
    this.#text = kind
    if (kind === 'data') this.#data.push('')
    else this.#title = ''
  }

  #endText(): void {
    if (this.#text === 'data') this.#hasLead ||= isLead(this.#data.at(-1) ?? '')
    this.#text = null
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
