import { findRules, type SubscriberRules } from '../domain/streams/find-rules'
import { CompiledFilters } from '../lib/filters/compiled'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import { type CompiledRules, filterForViewer } from './filter-message'
import type { StreamMessage } from './messages'
import { withRetries } from './with-retries'

/** The part of a Durable Object's storage that rules are cached in. */
export interface KeyValueStore {
  get<T>(key: string): T | undefined
  put<T>(key: string, value: T): void
  delete(key: string): boolean
}

/** Versioned key: increase it when the shape changes, so that values of older versions are not read. */
const storageKey = 'rules:1'
/** A value has two million bytes at most; larger rules are cached in memory only. */
const mostKept = 50_000
/** An event about a change may be lost with the process that publishes it; older rules are read again. */
const maxAgeMilliseconds = 10 * 60_000

interface StoredRules {
  readonly rules: SubscriberRules
  readonly readAt: Date
}

/** The rules of one subscriber, read when a message first needs them, and cached until they change. */
export class RulesCache {
  readonly #begin: () => Ctx
  readonly #shelf: KeyValueStore
  readonly #accountId: AccountId
  #held: (CompiledRules & { readonly readAt: Date }) | null = null
  #loading: Promise<CompiledRules | null> | null = null
  /** Number of invalidations since the object woke. */
  #turn = 0

  constructor(begin: () => Ctx, shelf: KeyValueStore, accountId: AccountId) {
    this.#begin = begin
    this.#shelf = shelf
    this.#accountId = accountId
  }

  /**
   * Filters the message for this stream; null if hidden. If the rules cannot be read, messages that they might
   * hide are dropped: the client can load them over the API later.
   */
  async filter(message: StreamMessage, channel: string): Promise<StreamMessage | null> {
    if (message.about === null) return message
    const now = this.#begin().clock.now()
    const rules = this.#known(now) ?? (await this.#read())
    return rules === null ? null : filterForViewer(rules, message, { channel, now })
  }

  /** Whether the cached rules are so old that events about them, or others, may have been missed since. */
  isStale(): boolean {
    const held = this.#held ?? this.#shelf.get<StoredRules>(storageKey)
    return held !== undefined && !isFresh(held, this.#begin().clock.now())
  }

  /** Drops the cached rules after a change. */
  invalidate(): void {
    this.#turn += 1
    this.#held = null
    this.#shelf.delete(storageKey)
  }

  #known(now: Date): CompiledRules | null {
    if (this.#held !== null) return isFresh(this.#held, now) ? this.#held : null
    const kept = this.#shelf.get<StoredRules>(storageKey)
    return kept !== undefined && isFresh(kept, now) ? this.#hold(kept) : null
  }

  #hold({ rules, readAt }: StoredRules): CompiledRules {
    const filters = new CompiledFilters(rules.filters)
    this.#held = { accountId: this.#accountId, hiding: rules.hiding, filters, readAt }
    return this.#held
  }

  /** Messages that arrive meanwhile wait for the same read, and so stay in order. */
  #read(): Promise<CompiledRules | null> {
    const complaint = 'The rules of a listener could not be read'
    const about = { accountId: this.#accountId }
    this.#loading ??= withRetries(this.#begin(), () => this.#load(), [complaint, about]).finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  async #load(): Promise<CompiledRules> {
    const ctx = this.#begin()
    for (;;) {
      const turn = this.#turn
      const readAt = ctx.clock.now()
      const rules = await findRules(ctx, this.#accountId)
      // A change during the read may have made the result outdated: read again.
      if (turn === this.#turn) return this.#keep({ rules, readAt })
    }
  }

  #keep(held: StoredRules): CompiledRules {
    if (weightOf(held.rules) <= mostKept) this.#shelf.put(storageKey, held)
    else this.#shelf.delete(storageKey)
    return this.#hold(held)
  }
}

function isFresh({ readAt }: Pick<StoredRules, 'readAt'>, now: Date): boolean {
  return now.getTime() - readAt.getTime() < maxAgeMilliseconds
}

/** Estimated size of the rules, in units of about twenty bytes. */
function weightOf({ hiding, filters }: SubscriberRules): number {
  const { blocks, blockedBy, mutes, domains } = hiding
  const words = filters.map(({ title, keywords, statuses }) => {
    const letters = title.length + keywords.reduce((sum, { keyword }) => sum + keyword.length, 0)
    return 10 + letters / 10 + keywords.length * 3 + statuses.length * 3
  })
  const told = blocks.size + blockedBy.size + mutes.size * 3 + domains.size * 13
  return told + words.reduce((sum, weight) => sum + weight, 0)
}
