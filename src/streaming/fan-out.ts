import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import {
  type AddressedOrders,
  type CalledObjects,
  type Recipient,
  type StreamMessage,
  splitIntoCalls,
} from './messages'

/** Maximum time that a recipient delays the others. */
export const patienceMilliseconds = 2_000

interface FanOutOptions {
  readonly begin: () => Ctx
  readonly objects: () => CalledObjects
  /** Name of the object that hands over. */
  readonly name: string
  readonly patienceMilliseconds: number
}

/**
 * Hands orders to many objects: in order to each, and to all at once. More than a hundred go through branches:
 * topic objects without subscribers, which hand over a part each.
 */
export class FanOut {
  readonly #options: FanOutOptions
  /** Queues that have work, by the name of their target. */
  readonly #queues = new Map<string, HandoverQueue>()

  constructor(options: FanOutOptions) {
    this.#options = options
  }

  /**
   * Hands over all orders. Slow recipients are not waited for: their orders stay in the memory of this object.
   * Returns the accounts that had no connection for their messages.
   */
  async distribute(orders: readonly AddressedOrders[]): Promise<readonly AccountId[]> {
    const unreached: AccountId[] = []
    const late = new Set<HandoverQueue>()
    const handovers = splitIntoCalls(orders).map(async (part, index) => {
      const queue = this.#queueOf(part, index)
      const handover = queue.add(part)
      if (queue.isSlow) return
      late.add(queue)
      unreached.push(...(await handover))
      late.delete(queue)
    })
    await settledWithin(this.#options.patienceMilliseconds, Promise.all(handovers))
    for (const queue of late) queue.isSlow = true
    return [...unreached]
  }

  #queueOf(part: readonly AddressedOrders[], index: number): HandoverQueue {
    const [first] = part
    const recipient = part.length === 1 ? first?.to : undefined
    const name = recipient === undefined ? branchName(this.#options.name, index) : String(recipient)
    const existing = this.#queues.get(name)
    if (existing !== undefined) return existing
    const queue = new HandoverQueue({
      handOver: (waiting) => this.#call(name, recipient, waiting),
      onDrop: (to, dropped) => this.#logDropped(to, dropped),
      onIdle: () => this.#queues.delete(name),
    })
    this.#queues.set(name, queue)
    return queue
  }

  /** Calls an object. Unreachable accounts are not reported: a failed call does not prove that they left. */
  async #call(
    name: string,
    recipient: Recipient | undefined,
    orders: readonly AddressedOrders[],
  ): Promise<readonly AccountId[]> {
    const { begin, objects } = this.#options
    const keys = new Set(orders.flatMap(({ messages }) => messages.map(({ key }) => key)))
    const about = { from: this.#options.name, to: name, keys: [...keys] }
    const call = async () => {
      if (recipient === undefined) return objects().topic(name).distribute(orders)
      return (await Promise.all(orders.map((one) => handOver(objects(), one)))).flat()
    }
    return (await withRetries(begin(), call, ['Failed to deliver stream messages', about])) ?? []
  }

  #logDropped(to: Recipient, dropped: number): void {
    const about = { from: this.#options.name, to, dropped }
    this.#options.begin().log.error('Dropped stream messages of a slow subscriber', about)
  }
}

/** Calls the object of a recipient once. Returns the account if it had no connection for the messages. */
export async function handOver(
  objects: CalledObjects,
  { to, ...orders }: AddressedOrders,
): Promise<readonly AccountId[]> {
  if (typeof to === 'number')
    return (await objects.connection(to).handle(orders)) === 'noSubscriber' ? [to] : []
  await objects.topic(to).spread(orders.messages)
  return []
}

/** No channel begins like this. */
const prefix = 'branch:'

/** Name of the topic object that hands over one part for the object `name`. */
export function branchName(name: string, part: number): string {
  return `${name.startsWith(prefix) ? '' : prefix}${name}/${part}`
}

async function settledWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  // The timer would keep the object awake.
  await Promise.race([work, end]).finally(() => clearTimeout(timer))
}

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
class HandoverQueue {
  readonly #target: HandoverTarget
  #waiting: Map<Recipient, AddressedOrders> | null = null
  #last: Promise<readonly AccountId[]> = Promise.resolve([])
  readonly #dropped = new Map<Recipient, number>()
  /** Set by a caller that stopped waiting; no caller waits for this queue then. */
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
    const unreached = await this.#target.handOver(orders)
    if (this.#waiting === null) this.#target.onIdle()
    return unreached
  }

  #merge(earlier: AddressedOrders | undefined, later: AddressedOrders): AddressedOrders {
    if (earlier === undefined) return later
    return {
      to: later.to,
      haveRulesChanged: earlier.haveRulesChanged || later.haveRulesChanged,
      endedSessions: [...earlier.endedSessions, ...later.endedSessions],
      needsRecheck: earlier.needsRecheck || later.needsRecheck,
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

/** Moved or restarted objects are back within this time, as a rule; so is the database. */
const pausesMilliseconds = [50, 1_000]

/** Returns the result of `attempt`. After the last retry logs `message` and returns null. */
export async function withRetries<T>(
  ctx: Ctx,
  attempt: () => Promise<T>,
  [message, about]: readonly [string, object],
): Promise<T | null> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (cause) {
      const pause = pausesMilliseconds[failures]
      if (pause === undefined) {
        ctx.log.error(message, { ...about, cause })
        return null
      }
      await ctx.clock.sleep(pause)
    }
  }
}

/** Runs tasks one after the other. A failure rejects the promise of its own task and does not stop later ones. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    this.#last = Promise.allSettled([turn])
    return turn
  }
}
