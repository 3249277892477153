import { escapeHtml } from '../html'
import { parseMarkdown } from './markdown'
import { findEntities, type Hashtag, type Mention, mentionKey, type TextEntity } from './scan'

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
