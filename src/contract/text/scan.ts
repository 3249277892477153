import { isTopLevelDomain } from '../../lib/registrable-domain'
import { trimEnd } from '../../lib/text/bytes'
import { matchHashtagName, normaliseHashtag, WORD_CLASS } from './hashtag'

/** Beginning of an address that becomes a link, as a pattern. The schemes are those of Mastodon. */
export const LINK_START = '(?:https?|gemini|gopher|dat|dweb|ipfs|ipns|ssb)://|xmpp:|magnet:\\?'

const linkStart = new RegExp(LINK_START, 'iy')
/** Schemes whose addresses name a key or a hash where others name a host. */
const keyScheme = /^(?:dat|dweb|ipfs|ipns|ssb):/i
const keyRun = /[a-z0-9_.-]+/iy
const xmppAuthority = /\/\/[\w.~%!$()*+,;=-]+@[\w.-]+\//y
const xmppName = /[\w.~%!$()*+,;=-]+@/y

const emoji = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}'
const hasEmoji = new RegExp(`[${emoji}]`, 'u')
const hostRun = new RegExp(`[\\p{L}\\p{M}\\p{N}_.\\-${emoji}]+`, 'uy')
const labelBeforeEmoji = new RegExp(`\\.([a-z]{2,63})(?=[${emoji}])`, 'giu')
const topLevel = new RegExp(
  `^(?:xn--[a-z0-9-]+|[a-z]{2,63}|(?:(?![${emoji}])[^\\p{ASCII}]){2,63}(?=$|[${emoji}]))`,
  'iu',
)
const port = /:\d{1,5}(?!\d)/y
const forbiddenBefore = /[A-Za-z0-9@＠$#＃]/

/** White space, and invisible characters that no address has: they separate, or set the direction of text. */
const separator = /[\s\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069<>`]/
/** Brackets, double quotation marks and commas of East Asian texts, which continue without a space. */
const endsBefore =
  /[、，！？；：､（）［］｛｝｟｠｢｣＂“”„‟\u2329\u232a〈-】〔-〛〝-〟︐-︙︵-﹄﹇﹈﹐-﹒﹔-﹗﹙-﹞]/
/** Full stops of East Asian texts: some titles end with one, so it ends an address only where text follows. */
const fullStop = /[。｡]/
const neverLast = /[!*"'<>;:=,.$%[\]~&|@?()`…‥]|(?![。｡])[\p{Terminal_Punctuation}\p{Quotation_Mark}]/u

/**
 * End of the address that starts at `start`, or -1 if none starts there.
 *
 * Sentence punctuation at the end does not belong to it; a closing bracket does if it was opened inside.
 */
function matchUrl(text: string, start: number): number {
  if (start > 0 && forbiddenBefore.test(text.charAt(start - 1))) return -1
  const begin = endOf(linkStart, text, start)
  const scheme = text.slice(start, begin).toLowerCase()
  if (scheme === '') return -1
  if (scheme === 'xmpp:') return matchXmpp(text, begin)
  if (scheme === 'magnet:?') return matchMagnet(text, begin)
  const hostEnd = keyScheme.test(scheme) ? matchKey(text, begin) : matchHost(text, begin)
  if (hostEnd === -1) return -1
  const authorityEnd = endOf(port, text, hostEnd)
  return URL.canParse(text.slice(start, authorityEnd)) ? matchTail(text, authorityEnd) : -1
}

/** Whether an address names a host behind `//`, unlike those of `xmpp:` and `magnet:`. */
export function hasHost(address: string): boolean {
  return /^[a-z]+:\/\//i.test(address) && !/^xmpp:/i.test(address)
}

/** End of what a sticky pattern matches at `start`; `start` without a match. */
function endOf(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start
  return sticky.test(text) ? sticky.lastIndex : start
}

function matchXmpp(text: string, start: number): number {
  const hostEnd = matchHost(text, endOf(xmppName, text, endOf(xmppAuthority, text, start)))
  return hostEnd === -1 ? -1 : matchTail(text, hostEnd)
}

function matchMagnet(text: string, start: number): number {
  const end = matchTail(text, start - 1)
  return end > start ? end : -1
}

function matchKey(text: string, start: number): number {
  const end = start + trimEnd(text.slice(start, endOf(keyRun, text, start)), '._-').length
  return end > start ? end : -1
}

function matchHost(text: string, start: number): number {
  const run = text.slice(start, endOf(hostRun, text, start))
  const host = beforeNextWord(trimEnd(run, '._-'))
  if (host.toLowerCase() === 'localhost') return start + host.length
  if (host.includes('..')) return -1
  const length = lengthOfDomain(host) ?? lengthOfDomain(beforeLastEmoji(host))
  return length === null ? -1 : start + length
}

/** Length of the domain that a host begins with; null without a top level. */
function lengthOfDomain(host: string): number | null {
  const dot = host.lastIndexOf('.')
  // Japanese and Chinese continue without a space: in `https://a.com見て` the domain ends at `com`.
  const top = dot < 1 ? null : topLevel.exec(host.slice(dot + 1))
  return top === null ? null : dot + 1 + top[0].length
}

/** The full stop of a sentence may be followed by an emoji at once. */
function beforeLastEmoji(host: string): string {
  const dot = host.lastIndexOf('.')
  return dot !== -1 && hasEmoji.test(host.slice(dot)) ? host.slice(0, dot) : ''
}

/** Emojis are part of a domain (`i❤.ws`) unless they follow its top level, as in `a.com👉b.com`. */
function beforeNextWord(host: string): string {
  if (!hasEmoji.test(host)) return host
  const hits = [...host.matchAll(labelBeforeEmoji)]
  const end = hits.find(([, label]) => isTopLevelDomain(label ?? ''))
  return end === undefined ? host : host.slice(0, end.index + end[0].length)
}

function matchTail(text: string, start: number): number {
  if (!'/?#'.includes(text.charAt(start) || ' ')) return start
  const open: string[] = []
  let end = start
  let isQuery = false
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i)
    if (char <= ' ' || separator.test(char) || endsBefore.test(char)) break
    if (fullStop.test(char) && !separator.test(text.charAt(i + 1) || ' ')) break
    if (char === '(' || char === '[') {
      open.push(char)
    } else if (char === ')' || char === ']') {
      if (open.pop() !== (char === ')' ? '(' : '[')) break
      if (open.length === 0) end = i + 1
    } else {
      isQuery ||= char === '?'
      const mayBeLast = !neverLast.test(char) || (isQuery && (char === '=' || char === '&'))
      if (mayBeLast && open.length === 0) end = i + 1
    }
  }
  return end
}

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
