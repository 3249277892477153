import { matchHashtagName, normaliseHashtag, WORD_CLASS } from '../hashtag'
import { LINK_START, matchUrl } from './url'

export interface Mention {
  /** As typed; compare it without case. */
  readonly username: string
  /** Lower case and in ASCII form, or null for a local account. */
  readonly domain: string | null
}

export interface Hashtag {
  /** The normalised form, see `normaliseHashtag`. */
  readonly name: string
  /** The form the author typed. */
  readonly display: string
}

interface Span {
  readonly start: number
  readonly end: number
}

/** An entity of a text that becomes a link. Offsets are UTF-16 code units. */
export type TextEntity = Span &
  (
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'mention'; readonly mention: Mention; readonly typed: string }
    | { readonly kind: 'hashtag'; readonly hashtag: Hashtag }
  )

const trigger = new RegExp(`[@#＃]|${LINK_START}`, 'gi')
// The port is for instances on a developer's machine only: elsewhere `@a@b.example:30` ends a clause.
const mentionPattern = new RegExp(
  '@([a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)' +
    `(?:@((?:localhost|\\d+\\.\\d+\\.\\d+\\.\\d+):\\d{1,5}|[${WORD_CLASS}]+(?:[.-]+[${WORD_CLASS}]+)*))?`,
  'iuy',
)
const notBeforeMention = new RegExp(`[${WORD_CLASS}=/]`, 'u')
const notBeforeHashtag = /[\p{Alphabetic}\p{Nd}=/)&]/u
const latinAccent = /[À-ÖØ-öø-ɏ]/

/** The URLs, mentions and hashtags of a plain text, in order and without overlap. */
export function findEntities(text: string): TextEntity[] {
  const found: TextEntity[] = []
  trigger.lastIndex = 0
  for (let hit = trigger.exec(text); hit !== null; hit = trigger.exec(text)) {
    const entity = entityAt(text, hit.index)
    if (entity !== null) found.push(entity)
    trigger.lastIndex = entity?.end ?? hit.index + 1
  }
  return found
}

/** The entity that starts exactly at `start`, judged with the text around it. */
export function entityAt(text: string, start: number): TextEntity | null {
  const first = text.charAt(start)
  if (first === '@') return mentionAt(text, start)
  if (first === '#' || first === '＃') return hashtagAt(text, start)
  const end = matchUrl(text, start)
  return end === -1 ? null : { kind: 'url', start, end, url: text.slice(start, end) }
}

/** Deduplication key of a mention: equal for the same account. */
export function mentionKey({ username, domain }: Mention): string {
  return `${username}@${domain ?? ''}`.toLowerCase()
}

function mentionAt(text: string, start: number): TextEntity | null {
  if (isPrecededBy(text, start, notBeforeMention)) return null
  mentionPattern.lastIndex = start
  const [, username, host] = mentionPattern.exec(text) ?? []
  if (username === undefined) return null
  const end = mentionPattern.lastIndex
  const next = text.charAt(end)
  if (next === '@' || next === '＠' || latinAccent.test(next) || text.startsWith('://', end)) return null
  const mention = { username, domain: toAsciiDomain(host) }
  return { kind: 'mention', start, end, mention, typed: text.slice(start, end) }
}

function hashtagAt(text: string, start: number): TextEntity | null {
  if (isPrecededBy(text, start, notBeforeHashtag)) return null
  const display = matchHashtagName(text, start + 1)
  if (display === null) return null
  const end = start + 1 + display.length
  const next = text.charAt(end)
  if (next === '#' || next === '＃' || text.startsWith('://', end)) return null
  return { kind: 'hashtag', start, end, hashtag: { name: normaliseHashtag(display), display } }
}

function isPrecededBy(text: string, start: number, pattern: RegExp): boolean {
  if (start === 0) return false
  const last = text.charAt(start - 1)
  const isLowSurrogate = last >= '\udc00' && last <= '\udfff'
  return pattern.test(isLowSurrogate ? text.slice(Math.max(0, start - 2), start) : last)
}

function toAsciiDomain(host: string | undefined): string | null {
  if (host === undefined) return null
  const lowered = host.toLowerCase()
  const url = /^[a-z0-9.:_-]+$/.test(lowered) ? null : URL.parse(`https://${lowered}`)
  return url?.hostname ?? lowered
}
