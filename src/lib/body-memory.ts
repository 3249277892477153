import { Overloaded } from '../errors'
import type { BodyReader } from './body'

export interface BodyMemoryLimits {
  readonly totalBytes: number
  /** Limit per network, so that a few senders of slow bodies do not block others. */
  readonly networkBytes: number
}

/** Memory reserved by one body. */
export interface BodyReservation {
  readonly network: string
  readonly bytes: number
  readonly until: number
}

/** Aborted requests may never release their memory: a reservation expires this long after the last chunk. */
const leaseMilliseconds = 60_000
const retryAfterSeconds = 10

/** Reads nothing: there is no room now. */
export const refusedBodies: BodyReader = {
  read: () => Promise.reject(new Overloaded(retryAfterSeconds)),
}

/** Memory that bodies of one kind may use together in this isolate, until their requests are answered. */
export class BodyMemory {
  readonly #shares = new Map<symbol, BodyReservation>()
  readonly #bounds: BodyMemoryLimits

  constructor(bounds: BodyMemoryLimits) {
    this.#bounds = bounds
  }

  /** Reserves so many bytes for a body, replacing its earlier reservation. Throws `Overloaded` without room. */
  reserve(
    body: symbol,
    { network, bytes, now }: Pick<BodyReservation, 'network' | 'bytes'> & { readonly now: Date },
  ): void {
    const reserved = this.#shares.get(body)?.bytes ?? 0
    if (bytes > reserved && !this.#fits(bytes - reserved, network, now))
      throw new Overloaded(retryAfterSeconds)
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
