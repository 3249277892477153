import type { AccountId } from '../lib/ids'
import type { StreamMessage } from './messages'
import type { AddressedOrders, Recipient } from './orders'

/** Most messages that wait for one recipient: half of those a socket remembers, so that a list may come twice. */
const maxMessages = 32
/** Most characters of payload that wait for one recipient. */
const maxCharacters = 262_144

interface HandoverTarget {
  /** Never fails. Returns the accounts that had no connection for the messages. */
  readonly handOver: (orders: readonly AddressedOrders[]) => Promise<readonly AccountId[]>
  /** Called with the number of messages dropped since the recipient became slow: at 1, 10, 100 …, and at last. */
  readonly onDrop: (to: Recipient, dropped: number) => void
  /** Called when all is handed over. */
  readonly onIdle: () => void
}

/**
 * Orders on their way to one object, handed over in order and one call at a time. Orders that arrive during a call
 * are merged and make up the next. Of messages the oldest are dropped above a limit; other orders never are.
 */
export class HandoverQueue {
  readonly #target: HandoverTarget
  #waiting: Map<Recipient, AddressedOrders> | null = null
  #last: Promise<readonly AccountId[]> = Promise.resolve([])
  readonly #dropped = new Map<Recipient, number>()
  /** Set by a caller that stopped waiting; from then on nobody waits for this queue. */
  isSlow = false

  constructor(target: HandoverTarget) {
    this.#target = target
  }

  /** Settles when these orders are handed over, or dropped. */
  add(orders: readonly AddressedOrders[]): Promise<readonly AccountId[]> {
    if (this.#waiting === null) {
      this.#waiting = new Map()
      this.#last = this.#last.then(() => this.#handOver())
    }
    for (const one of orders) this.#waiting.set(one.to, this.#merge(this.#waiting.get(one.to), one))
    return this.#last
  }

  async #handOver(): Promise<readonly AccountId[]> {
    const orders = [...(this.#waiting?.values() ?? [])]
    this.#waiting = null
    for (const [to, dropped] of this.#dropped) if (!isRound(dropped)) this.#target.onDrop(to, dropped)
    this.#dropped.clear()
    const unheard = await this.#target.handOver(orders)
    if (this.#waiting === null) this.#target.onIdle()
    return unheard
  }

  #merge(earlier: AddressedOrders | undefined, later: AddressedOrders): AddressedOrders {
    if (earlier === undefined) return later
    return {
      to: later.to,
      haveRulesChanged: earlier.haveRulesChanged || later.haveRulesChanged,
      endedSessions: [...earlier.endedSessions, ...later.endedSessions],
      isToRecheck: earlier.isToRecheck || later.isToRecheck,
      messages: [...this.#newest(later.to, earlier.messages, later.messages), ...later.messages],
    }
  }

  /** The messages that still have room before `later`. */
  #newest(
    to: Recipient,
    earlier: readonly StreamMessage[],
    later: readonly StreamMessage[],
  ): readonly StreamMessage[] {
    let characters = later.reduce((sum, one) => sum + lengthOf(one), 0)
    let first = earlier.length
    while (first > 0 && earlier.length - first + later.length < maxMessages) {
      characters += lengthOf(earlier[first - 1])
      if (characters > maxCharacters) break
      first -= 1
    }
    if (first > 0) this.#countDropped(to, first)
    return earlier.slice(first)
  }

  #countDropped(to: Recipient, count: number): void {
    const before = this.#dropped.get(to) ?? 0
    for (let dropped = before + 1; dropped <= before + count; dropped += 1)
      if (isRound(dropped)) this.#target.onDrop(to, dropped)
    this.#dropped.set(to, before + count)
  }
}

function lengthOf(message: StreamMessage | undefined): number {
  return message?.payload?.length ?? 0
}

function isRound(count: number): boolean {
  return Number.isInteger(Math.log10(count))
}
