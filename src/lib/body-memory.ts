import { Overloaded } from '../errors'

export interface BodyMemoryLimits {
  readonly totalBytes: number
  /** Of one network, so that a few senders of slow bodies keep nobody else out. */
  readonly networkBytes: number
}

/** What one body holds of a room. */
export interface BodyReservation {
  readonly network: string
  readonly bytes: number
  readonly until: number
}

/** A request that is cut off may leave without a word; what it held counts for so long after its last piece. */
const leaseMilliseconds = 60_000
const retryAfterSeconds = 10

/** The memory that bodies of one kind may hold together in this isolate, until their requests are answered. */
export class BodyMemory {
  readonly #shares = new Map<symbol, BodyReservation>()
  readonly #bounds: BodyMemoryLimits

  constructor(bounds: BodyMemoryLimits) {
    this.#bounds = bounds
  }

  /** Lets a body hold so many bytes, in place of those it held. `Overloaded` where there is no room for more. */
  reserve(
    body: symbol,
    { network, bytes, now }: Pick<BodyReservation, 'network' | 'bytes'> & { readonly now: Date },
  ): void {
    const held = this.#shares.get(body)?.bytes ?? 0
    if (bytes > held && !this.#fits(bytes - held, network, now)) throw new Overloaded(retryAfterSeconds)
    this.#shares.set(body, { network, bytes, until: now.getTime() + leaseMilliseconds })
  }

  release(body: symbol): void {
    this.#shares.delete(body)
  }

  #fits(bytes: number, network: string, now: Date): boolean {
    let [total, ofNetwork] = [bytes, bytes]
    for (const [body, share] of this.#shares) {
      if (share.until < now.getTime()) this.#shares.delete(body)
      else {
        total += share.bytes
        if (share.network === network) ofNetwork += share.bytes
      }
    }
    return total <= this.#bounds.totalBytes && ofNetwork <= this.#bounds.networkBytes
  }
}
