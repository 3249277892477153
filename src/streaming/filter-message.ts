import type { FilterResult } from '../contract/entities/filter'
import { type BlockAndMuteRules, isMuteActive } from '../domain/policy/block-predicates'
import { type DisplayContext, isHidden } from '../domain/policy/blocks-and-mutes'
import { type CompiledFilters, isHiddenIn } from '../lib/filters/compiled'
import type { AccountId } from '../lib/ids'
import { presentMatch } from '../view/present/filter'
import type { MessageSubject, StatusInPayload, StreamMessage } from './messages'

/** A subscriber's filters and blocks, compiled for repeated matching. */
export interface CompiledRules {
  readonly accountId: AccountId
  readonly hiding: BlockAndMuteRules
  readonly filters: CompiledFilters
}

/**
 * Filters a message for a subscriber on one stream and fills in its filter matches; null if hidden. As
 * everywhere, `hide` removes statuses from home and lists and only warns elsewhere. The viewer's own statuses
 * are never hidden.
 */
export function filterForViewer(
  rules: CompiledRules,
  message: StreamMessage,
  { channel, now }: { readonly channel: string; readonly now: Date },
): StreamMessage | null {
  const { about, payload } = message
  if (about === null) return message
  const place = placeOf(message, channel)
  if (isHidden(rules.hiding, about, { place, now })) return null
  if (payload === null || about.statuses.length === 0) return message
  const matched = about.statuses.map((part) => ({ part, matches: rules.filters.match(part, now) }))
  const [first] = matched
  const isOwn = first?.part.author.id === rules.accountId
  if (place === 'feed' && !isOwn && first !== undefined && isHiddenIn('home', first.matches)) return null
  const hasMatches = matched.some(({ matches }) => matches.length > 0)
  const quotes = about.statuses.filter(isQuoted)
  // Messages presented for one viewer have `filtered` already.
  if (!hasMatches && quotes.length === 0 && place !== 'public') return message
  const entity: unknown = JSON.parse(payload)
  for (const { part, matches } of matched) setFiltered(entity, part, matches.map(presentMatch))
  for (const part of quotes) setQuoteState(entity, part, { rules, about, now })
  return { ...message, payload: JSON.stringify(entity) }
}

function placeOf({ event }: StreamMessage, channel: string): DisplayContext {
  if (event === 'notification' || event === 'conversation') return 'notice'
  return /^(public|hashtag)\b/.test(channel) ? 'public' : 'feed'
}

type Entity = Record<string, unknown>

function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null
}

function entityAt(root: unknown, path: readonly string[]): Entity | null {
  let found = root
  for (const key of path) found = isEntity(found) ? found[key] : null
  return isEntity(found) ? found : null
}

function setFiltered(root: unknown, { at }: StatusInPayload, filtered: readonly FilterResult[]): void {
  const status = entityAt(root, at)
  if (status !== null) status['filtered'] = filtered
}

function isQuoted({ at }: StatusInPayload): boolean {
  return at.at(-1) === 'quoted_status'
}

/**
 * Sets the state of a quote for this subscriber; the payload of a shared stream was presented for an anonymous
 * viewer.
 */
function setQuoteState(
  root: unknown,
  part: StatusInPayload,
  {
    rules,
    about,
    now,
  }: { readonly rules: CompiledRules; readonly about: MessageSubject; readonly now: Date },
): void {
  const quoting = part.at.slice(0, -2)
  const quote = entityAt(root, [...quoting, 'quote'])
  const status = entityAt(root, quoting)
  if (quote === null || status === null || quote['state'] !== 'accepted') return
  const { blocks, blockedBy, domains, mutes } = rules.hiding
  const { id, domain } = part.author
  if (blockedBy.has(id)) {
    status['quote'] = { state: 'unauthorized', quoted_status: null }
    // The content without the fallback link before it.
    status['content'] = about.statuses.find(({ at }) => at.length === quoting.length)?.content
    return
  }
  const mute = mutes.get(id)
  if (domain !== null && domains.has(domain)) quote['state'] = 'blocked_domain'
  else if (blocks.has(id)) quote['state'] = 'blocked_account'
  else if (mute !== undefined && isMuteActive(mute, now)) quote['state'] = 'muted_account'
}
