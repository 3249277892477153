import MarkdownIt, { type StateInline, type Token } from 'markdown-it'
import { escapeHtml } from '../../lib/html'
import { allowedHref } from '../../lib/html-rules'
import { trimEnd, withoutControls } from '../../lib/text/bytes'
import {
  entityAt,
  findEntities,
  type Hashtag,
  LINK_START,
  type Mention,
  mentionKey,
  type TextEntity,
} from './scan'

export type TextContentType = 'text/plain' | 'text/markdown'

/** A parsed text: its entities, and the pieces `renderText` joins to HTML. */
export interface ParsedText {
  /** Distinct mentions (case-insensitive), in order. */
  readonly mentions: readonly Mention[]
  /** Hashtags with distinct normalised names, in order, as first typed. */
  readonly hashtags: readonly Hashtag[]
  /** The addresses, each once, in order. */
  readonly urls: readonly string[]
  readonly pieces: TextPieces
}

/** Finished HTML, with an entity for each link to be rendered. */
export type TextPieces = readonly (string | TextEntity)[]

/** Parses a text a user typed. Check its length first: the cost grows with it. */
export function parseText(text: string, contentType: TextContentType): ParsedText {
  const source = text.replace(/\r\n?/g, '\n').trim()
  if (contentType === 'text/markdown') {
    const { pieces, entities } = parseMarkdown(source)
    return { ...collect(entities), pieces }
  }
  const entities = findEntities(source)
  const lines = source === '' ? [] : piecesOf(source, entities, breakLines)
  return { ...collect(entities), pieces: source === '' ? [] : ['<p>', ...lines, '</p>'] }
}

/** Parses one line, which gets no paragraph: a profile field, a name. */
export function parseLine(text: string): ParsedText {
  const pieces = text.split('\n').map((piece) => piece.trim())
  const line = pieces.filter((piece) => piece !== '').join(' ')
  const entities = findEntities(line)
  return { ...collect(entities), pieces: piecesOf(line, entities, escapeHtml) }
}

function piecesOf(
  source: string,
  entities: readonly TextEntity[],
  toHtml: (text: string) => string,
): (string | TextEntity)[] {
  const pieces: (string | TextEntity)[] = []
  let last = 0
  for (const entity of entities) {
    pieces.push(toHtml(source.slice(last, entity.start)), entity)
    last = entity.end
  }
  pieces.push(toHtml(source.slice(last)))
  return pieces
}

function breakLines(text: string): string {
  return escapeHtml(text)
    .replace(/\n{2,}/g, '</p><p>')
    .replaceAll('\n', '<br />')
}

function collect(entities: readonly TextEntity[]): Omit<ParsedText, 'pieces'> {
  const mentions = new Map<string, Mention>()
  const hashtags = new Map<string, Hashtag>()
  const urls = new Set<string>()
  for (const entity of entities) {
    if (entity.kind === 'url') urls.add(entity.url)
    else if (entity.kind === 'hashtag') addOnce(hashtags, entity.hashtag.name, entity.hashtag)
    else addOnce(mentions, mentionKey(entity.mention), entity.mention)
  }
  return { mentions: [...mentions.values()], hashtags: [...hashtags.values()], urls: [...urls] }
}

function addOnce<T>(map: Map<string, T>, key: string, value: T): void {
  if (!map.has(key)) map.set(key, value)
}

const entityOf = new WeakMap<Token, TextEntity>()
const ENTITY = 'entity_link'

const markdown = createParser()

export interface ParsedMarkdown {
  /** HTML with gaps for mentions, hashtags and shortened links, which are rendered later. */
  readonly pieces: readonly (string | TextEntity)[]
  /** Every entity, those of named links `[text](url)` included. */
  readonly entities: readonly TextEntity[]
}

/**
 * Renders Markdown to HTML of a few harmless elements; raw HTML stays visible text.
 *
 * Mentions, hashtags and bare addresses are found while parsing, so not inside code or link texts, and an
 * underscore in them does not start emphasis.
 */
function parseMarkdown(source: string): ParsedMarkdown {
  const writer = new PieceWriter()
  writer.writeAll(markdown.parse(source, {}))
  return { pieces: writer.pieces, entities: writer.entities }
}

function createParser() {
  const parser = new MarkdownIt({ html: false, linkify: false, breaks: true, maxNesting: 20 })
  // Tables, rules and images have no element to become. Indentation, underlining with dashes and
  // `[1]: https://…` are how people lay out plain text; parsing them as Markdown would swallow words.
  parser.disable(['table', 'hr', 'image', 'code', 'lheading', 'reference'])
  parser.validateLink = (url) => allowedHref(url) !== null
  parser.inline.ruler.at('text', readText)
  parser.inline.ruler.before('linkify', ENTITY, readEntity)
  return parser
}

// As the built-in rule, but it also stops at the full-width number sign.
const textEnd = /[\n!#＃$%&*+\-:<=>@[\\\]^_`{}~]/g

function readText(state: StateInline, silent: boolean): boolean {
  textEnd.lastIndex = state.pos
  const end = Math.min(textEnd.exec(state.src)?.index ?? state.posMax, state.posMax)
  if (end === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

function readEntity(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0) return false
  const schemeLength = lengthOfSchemeBefore(state)
  if (schemeLength === 0 && !'@#＃'.includes(state.src.charAt(state.pos))) return false
  const entity = outsideEmphasis(entityAt(state.src, state.pos - schemeLength), state.src)
  if (entity === null || entity.end > state.posMax) return false
  if (!silent) {
    if (schemeLength > state.pending.length) return false
    state.pending = state.pending.slice(0, state.pending.length - schemeLength)
    entityOf.set(state.push(ENTITY, '', 0), entity)
  }
  state.pos = entity.end
  return true
}

const longestScheme = 6

// The text rule stops at the colon, after consuming the scheme as a word. What is no scheme is no entity either.
function lengthOfSchemeBefore({ src, pos }: StateInline): number {
  if (src.charAt(pos) !== ':') return 0
  return /[a-z]+$/i.exec(src.slice(Math.max(0, pos - longestScheme), pos))?.[0].length ?? 0
}

function outsideEmphasis(entity: TextEntity | null, source: string): TextEntity | null {
  if (entity?.kind !== 'url' || source.charAt(entity.start - 1) !== '_') return entity
  const url = trimEnd(entity.url, '_')
  return { ...entity, url, end: entity.start + url.length }
}

const simpleTags = new Map([
  ['heading_open', '<p><strong>'],
  ['heading_close', '</strong></p>'],
  ['bullet_list_open', '<ul>'],
  ['bullet_list_close', '</ul>'],
  ['ordered_list_close', '</ol>'],
  ['list_item_open', '<li>'],
  ['list_item_close', '</li>'],
  ['blockquote_open', '<blockquote>'],
  ['blockquote_close', '</blockquote>'],
  ['strong_open', '<strong>'],
  ['strong_close', '</strong>'],
  ['em_open', '<em>'],
  ['em_close', '</em>'],
  ['s_open', '<del>'],
  ['s_close', '</del>'],
  ['link_close', '</a>'],
  ['softbreak', '<br />'],
  ['hardbreak', '<br />'],
])

const isBareLink = new RegExp(`^(?:${LINK_START})`, 'i')

class PieceWriter {
  readonly pieces: (string | TextEntity)[] = []
  readonly entities: TextEntity[] = []

  writeAll(tokens: readonly Token[]): void {
    let isInBareLink = false
    for (const token of tokens) {
      if (token.type === 'link_open') isInBareLink = this.openLink(token)
      else if (!isInBareLink) this.write(token)
      else if (token.type === 'link_close') isInBareLink = false
    }
  }

  private write(token: Token): void {
    const entity = entityOf.get(token)
    const tag = simpleTags.get(token.type)
    if (entity !== undefined) this.add(entity)
    else if (tag !== undefined) this.pieces.push(tag)
    else if (token.type === 'inline') this.writeAll(token.children ?? [])
    else this.pieces.push(htmlOf(token))
  }

  /** Opens a link; true for a bare `<https://…>`, whose text repeats its address. */
  private openLink(token: Token): boolean {
    const url = String(token.attrGet('href') ?? '')
    const entity: TextEntity = { kind: 'url', start: 0, end: 0, url }
    if (isBareLink.test(url) && token.info === 'auto') {
      this.add(entity)
      return true
    }
    this.entities.push(entity)
    this.pieces.push(`<a href="${escapeHtml(url)}" target="_blank" rel="nofollow noopener noreferrer">`)
    return false
  }

  private add(entity: TextEntity): void {
    this.entities.push(entity)
    this.pieces.push(entity)
  }
}

function htmlOf(token: Token): string {
  switch (token.type) {
    // The paragraphs of a tight list are hidden.
    case 'paragraph_open':
      return token.hidden ? '' : '<p>'
    case 'paragraph_close':
      return token.hidden ? '' : '</p>'
    case 'ordered_list_open': {
      const start = token.attrGet('start')
      return start === null ? '<ol>' : `<ol start="${Number(start)}">`
    }
    case 'code_inline':
      return `<code>${escapeHtml(token.content)}</code>`
    case 'fence':
      return `<pre><code>${escapeHtml(token.content)}</code></pre>`
    default:
      // The parser decodes `&#13;` and its like.
      return escapeHtml(withoutControls(token.content))
  }
}
