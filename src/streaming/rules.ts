import { findRules, type ListenerRules } from '../domain/streams/find-rules'
import { CompiledFilters } from '../lib/filters/compiled'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import type { Message } from './messages'
import { tried } from './tried'
import { type CompiledRules, weighed } from './weigh'

/** The part of an object's own storage that rules are kept in. */
export interface Shelf {
  get<T>(key: string): T | undefined
  put<T>(key: string, value: T): void
  delete(key: string): boolean
}

/** Another name when the shape changes: what an older version kept is not read then. */
const shelfKey = 'rules:1'
/** A value has two million bytes at most; what is larger lives in memory only. */
const mostKept = 50_000
/** News of a change may get lost with the process that has them; what is older than this is read anew. */
const freshMilliseconds = 10 * 60_000

interface Held {
  readonly rules: ListenerRules
  readonly readAt: Date
}

/** The rules of one listener, read when a message needs them first, and kept until they change. */
export class Rules {
  readonly #begin: () => Ctx
  readonly #shelf: Shelf
  readonly #accountId: AccountId
  #held: (CompiledRules & { readonly readAt: Date }) | null = null
  #loading: Promise<CompiledRules | null> | null = null
  /** How often they have changed since the object is awake. */
  #turn = 0

  constructor(begin: () => Ctx, shelf: Shelf, accountId: AccountId) {
    this.#begin = begin
    this.#shelf = shelf
    this.#accountId = accountId
  }

  /**
   * The message as it may be sent on this stream; null where it is hidden. Where the rules cannot be read, nothing
   * that they might hide is sent: it can be read over the API later.
   */
  async weigh(message: Message, channel: string): Promise<Message | null> {
    if (message.about === null) return message
    const now = this.#begin().clock.now()
    const rules = this.#known(now) ?? (await this.#read())
    return rules === null ? null : weighed(rules, message, { channel, now })
  }

  /** Were they read so long ago that news may have been missed since, of these or of anything else? */
  areOld(): boolean {
    const held = this.#held ?? this.#shelf.get<Held>(shelfKey)
    return held !== undefined && !isFresh(held, this.#begin().clock.now())
  }

  /** They are others now. */
  forget(): void {
    this.#turn += 1
    this.#held = null
    this.#shelf.delete(shelfKey)
  }

  #known(now: Date): CompiledRules | null {
    if (this.#held !== null) return isFresh(this.#held, now) ? this.#held : null
    const kept = this.#shelf.get<Held>(shelfKey)
    return kept !== undefined && isFresh(kept, now) ? this.#hold(kept) : null
  }

  #hold({ rules, readAt }: Held): CompiledRules {
    const filters = new CompiledFilters(rules.filters)
    this.#held = { accountId: this.#accountId, hiding: rules.hiding, filters, readAt }
    return this.#held
  }

  /** Messages that come meanwhile wait for the same answer, and so stay in their order. */
  #read(): Promise<CompiledRules | null> {
    const complaint = 'The rules of a listener could not be read'
    const about = { accountId: this.#accountId }
    this.#loading ??= tried(this.#begin(), () => this.#load(), [complaint, about]).finally(() => {
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

  #keep(held: Held): CompiledRules {
    if (weightOf(held.rules) <= mostKept) this.#shelf.put(shelfKey, held)
    else this.#shelf.delete(shelfKey)
    return this.#hold(held)
  }
}

function isFresh({ readAt }: Pick<Held, 'readAt'>, now: Date): boolean {
  return now.getTime() - readAt.getTime() < freshMilliseconds
}

/** How much there is to keep, in units of about twenty bytes. */
function weightOf({ hiding, filters }: ListenerRules): number {
  const { blocks, blockedBy, mutes, domains } = hiding
  const words = filters.map(({ title, keywords, statuses }) => {
    const letters = title.length + keywords.reduce((sum, { keyword }) => sum + keyword.length, 0)
    return 10 + letters / 10 + keywords.length * 3 + statuses.length * 3
  })
  const told = blocks.size + blockedBy.size + mutes.size * 3 + domains.size * 13
  return told + words.reduce((sum, weight) => sum + weight, 0)
}
