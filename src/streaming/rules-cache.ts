import type { FilterResult } from '../contract/entities/filter'
import { isHiddenIn } from '../contract/filters'
import { type BlockAndMuteRules, isMuteActive } from '../domain/policy/block-predicates'
import { type DisplayContext, isHidden } from '../domain/policy/blocks-and-mutes'
import { CompiledFilters } from '../domain/policy/filters/compiled'
import { findRules, type SubscriberRules } from '../domain/streams/find-rules'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { presentMatch } from '../view/present/filter'
import { withRetries } from './fan-out'
import type { MessageSubject, StatusInPayload, StreamMessage } from './messages'

/** The part of a Durable Object's storage that rules are cached in. */
export interface KeyValueStore {
  get<T>(key: string): T | undefined
  put<T>(key: string, value: T): void
  delete(key: string): boolean
}

/** Versioned key: increase it when the shape changes, so that values of older versions are not read. */
const storageKey = 'rules:1'
/** A value has two million bytes at most; larger rules are cached in memory only. */
const maxStoredWeight = 50_000
/** An event about a change may be lost with the process that publishes it; older rules are read again. */
const maxAgeMilliseconds = 10 * 60_000

interface StoredRules {
  readonly rules: SubscriberRules
  readonly readAt: Date
}

/** The rules of one subscriber, read when a message first needs them, and cached until they change. */
export class RulesCache {
  readonly #begin: () => Ctx
  readonly #storage: KeyValueStore
  readonly #accountId: AccountId
  #cached: (CompiledRules & { readonly readAt: Date }) | null = null
  #loading: Promise<CompiledRules | null> | null = null
  /** Number of invalidations since the object woke. */
  #version = 0

  constructor(begin: () => Ctx, storage: KeyValueStore, accountId: AccountId) {
    this.#begin = begin
    this.#storage = storage
    this.#accountId = accountId
  }

  /**
   * Filters the message for this stream; null if hidden. If the rules cannot be read, messages that they might
   * hide are dropped: the client can load them over the API later.
   */
  async filter(message: StreamMessage, channel: string): Promise<StreamMessage | null> {
    if (message.about === null) return message
    const now = this.#begin().clock.now()
    const rules = this.#cachedRules(now) ?? (await this.#read())
    return rules === null ? null : filterForViewer(rules, message, { channel, now })
  }

  /** Whether the cached rules are so old that events about them, or others, may have been missed since. */
  isStale(): boolean {
    const entry = this.#cached ?? this.#storage.get<StoredRules>(storageKey)
    return entry !== undefined && !isFresh(entry, this.#begin().clock.now())
  }

  /** Drops the cached rules after a change. */
  invalidate(): void {
    this.#version += 1
    this.#cached = null
    this.#forget()
  }

  #cachedRules(now: Date): CompiledRules | null {
    if (this.#cached !== null) return isFresh(this.#cached, now) ? this.#cached : null
    const stored = this.#storage.get<StoredRules>(storageKey)
    return stored !== undefined && isFresh(stored, now) ? this.#cache(stored) : null
  }

  #cache({ rules, readAt }: StoredRules): CompiledRules {
    const filters = new CompiledFilters(rules.filters)
    this.#cached = { accountId: this.#accountId, hiding: rules.hiding, filters, readAt }
    return this.#cached
  }

  /** Messages that arrive meanwhile wait for the same read, and so stay in order. */
  #read(): Promise<CompiledRules | null> {
    const message = 'Failed to load the rules of a subscriber'
    const about = { accountId: this.#accountId }
    this.#loading ??= withRetries(this.#begin(), () => this.#load(), [message, about]).finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  async #load(): Promise<CompiledRules> {
    const ctx = this.#begin()
    for (;;) {
      const version = this.#version
      const readAt = ctx.clock.now()
      const rules = await findRules(ctx, this.#accountId)
      // A change during the read may have made the result outdated: read again.
      if (version === this.#version) return this.#save({ rules, readAt })
    }
  }

  #save(entry: StoredRules): CompiledRules {
    if (weightOf(entry.rules) <= maxStoredWeight) this.#storage.put(storageKey, entry)
    else this.#forget()
    return this.#cache(entry)
  }

  /** Deletes what is stored, if anything is: a write that changes nothing takes as much memory as one that does. */
  #forget(): void {
    if (this.#storage.get(storageKey) !== undefined) this.#storage.delete(storageKey)
  }
}

function isFresh({ readAt }: Pick<StoredRules, 'readAt'>, now: Date): boolean {
  return now.getTime() - readAt.getTime() < maxAgeMilliseconds
}

/** Estimated size of the rules, in units of about twenty bytes. */
function weightOf({ hiding, filters }: SubscriberRules): number {
  const { blocks, blockedBy, mutes, domains } = hiding
  const filterWeights = filters.map(({ title, keywords, statuses }) => {
    const characters = title.length + keywords.reduce((sum, { keyword }) => sum + keyword.length, 0)
    return 10 + characters / 10 + keywords.length * 3 + statuses.length * 3
  })
  const blockWeight = blocks.size + blockedBy.size + mutes.size * 3 + domains.size * 13
  return blockWeight + filterWeights.reduce((sum, weight) => sum + weight, 0)
}

/** A subscriber's filters and blocks, compiled for repeated matching. */
interface CompiledRules {
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
