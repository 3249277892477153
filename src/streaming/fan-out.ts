import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { HandoverQueue } from './handover-queue'
import type { CalledObjects } from './objects'
import { type AddressedOrders, type Recipient, splitIntoCalls } from './orders'
import { withRetries } from './with-retries'

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
    const unheard: AccountId[] = []
    const late = new Set<HandoverQueue>()
    const handovers = splitIntoCalls(orders).map(async (part, index) => {
      const queue = this.#queueOf(part, index)
      const handover = queue.add(part)
      if (queue.isSlow) return
      late.add(queue)
      unheard.push(...(await handover))
      late.delete(queue)
    })
    await settledWithin(this.#options.patienceMilliseconds, Promise.all(handovers))
    for (const queue of late) queue.isSlow = true
    return [...unheard]
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
  if (typeof to === 'number') return (await objects.connection(to).handle(orders)) === 'nobody' ? [to] : []
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
