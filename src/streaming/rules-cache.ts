import { findRules, type SubscriberRules } from '../domain/streams/find-rules'
import { CompiledFilters } from '../lib/filters/compiled'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import { type CompiledRules, filterForViewer } from './filter-message'
import type { StreamMessage } from './messages'
import { withRetries } from './with-retries'

/** The part of an object's own storage that rules are kept in. */
export interface KeyValueStore {
  get<T>(key: string): T | undefined
  put<T>(key: string, value: T): void
  delete(key: string): boolean
}

/** Another name when the shape changes: what an older version kept is not read then. */
const storageKey = 'rules:1'
/** A value has two million bytes at most; what is larger lives in memory only. */
const mostKept = 50_000
/** News of a change may get lost with the process that has them; what is older than this is read anew. */
const maxAgeMilliseconds = 10 * 60_000

interface StoredRules {
  readonly rules: SubscriberRules
  readonly readAt: Date
}

/** The rules of one listener, read when a message needs them first, and kept until they change. */
export class RulesCache {
  readonly #begin: () => Ctx
  readonly #shelf: KeyValueStore
  readonly #accountId: AccountId
  #held: (CompiledRules & { readonly readAt: Date }) | null = null
  #loading: Promise<CompiledRules | null> | null = null
  /** How often they have changed since the object is awake. */
  #turn = 0

  constructor(begin: () => Ctx, shelf: KeyValueStore, accountId: AccountId) {
    this.#begin = begin
    this.#shelf = shelf
    this.#accountId = accountId
  }

  /**
   * The message as it may be sent on this stream; null where it is hidden. Where the rules cannot be read, nothing
   * that they might hide is sent: it can be read over the API later.
   */
  async filter(message: StreamMessage, channel: string): Promise<StreamMessage | null> {
    if (message.about === null) return message
    const now = this.#begin().clock.now()
    const rules = this.#known(now) ?? (await this.#read())
    return rules === null ? null : filterForViewer(rules, message, { channel, now })
  }

  /** Were they read so long ago that news may have been missed since, of these or of anything else? */
  isStale(): boolean {
    const held = this.#held ?? this.#shelf.get<StoredRules>(storageKey)
    return held !== undefined && !isFresh(held, this.#begin().clock.now())
  }

  /** They are others now. */
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

  /** Messages that come meanwhile wait for the same answer, and so stay in their order. */
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
      // Changed while they were read: they may be the old ones.
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

/** How much there is to keep, in units of about twenty bytes. */
function weightOf({ hiding, filters }: SubscriberRules): number {
  const { blocks, blockedBy, mutes, domains } = hiding
  const words = filters.map(({ title, keywords, statuses }) => {
    const letters = title.length + keywords.reduce((sum, { keyword }) => sum + keyword.length, 0)
    return 10 + letters / 10 + keywords.length * 3 + statuses.length * 3
  })
  const told = blocks.size + blockedBy.size + mutes.size * 3 + domains.size * 13
  return told + words.reduce((sum, weight) => sum + weight, 0)
}
