import { BadRequest, Overloaded, RequestTimeout, TooLarge } from '../errors'

/**
 * Trust level of a body's sender, which decides its size limit: `stranger` is unauthenticated, `delivery` is
 * signed and not verified yet, `text` and `upload` come from authenticated users.
 */
export type BodyKind = 'stranger' | 'delivery' | 'text' | 'upload'

/** Reads the bodies of requests, within the memory of this isolate. */
export interface BodyReader {
  /**
   * Reads the whole body of a request into one buffer. `TooLarge` and `RequestTimeout` by the limits of its
   * kind, `Overloaded` if too many are being read already.
   */
  read(request: Request, kind: BodyKind): Promise<Uint8Array>
}

export interface BodyLimits {
  readonly limitBytes: number
  /** Timeout for the whole body. */
  readonly seconds: number
  /** Timeout for the next chunk. */
  readonly stallSeconds: number
  /** Least bytes of every so many seconds, where a slow sender costs more than memory; absent for none. */
  readonly leastRate?: { readonly bytes: number; readonly seconds: number }
}

/** Memory reservation of a body while it is read. Each method may refuse by throwing. */
export interface MemoryReservation {
  /** Called before the body takes memory, with its total from then on. */
  reserve(bytes: number): void
  /** Called with every chunk that arrives. */
  renew(): void
}

/** Initial buffer size; an idle connection costs four times as much at most. */
const firstBytes = 1_024
const growth = 4

/**
 * Reads the whole body of a request into one buffer. `TooLarge` beyond the limit, before reading if the length
 * is declared; `RequestTimeout` for slow senders.
 *
 * An isolate has 128 MB for all its requests, and an upload may be half of that: memory grows with what arrives
 * and never with what is declared, which costs its sender nothing. The buffer grows fourfold towards the length
 * declared, or else the limit, so that the last copy is a quarter of that.
 */
export async function readBytes(
  request: Request,
  bounds: BodyLimits,
  holder: MemoryReservation,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0)
  const declared = declaredLength(request.headers)
  if (declared !== null) assertWithinLimit(declared, bounds.limitBytes)
  const reader = request.body.getReader({ mode: 'byob' })
  const watch = new BodyTimer(reader, bounds)
  try {
    return await readWhole(reader, { declared, bounds, holder, watch })
  } finally {
    await watch.end()
    // Release the lock: wrangler reads every body to its end after the response, and logs an error if it is
    // locked.
    reader.releaseLock()
  }
}

function declaredLength(headers: Headers): number | null {
  const declared = Number(headers.get('content-length') ?? Number.NaN)
  return Number.isSafeInteger(declared) && declared >= 0 ? declared : null
}

interface BodyReadContext {
  readonly declared: number | null
  readonly bounds: BodyLimits
  readonly holder: MemoryReservation
  readonly watch: BodyTimer
}

async function readWhole(
  reader: ReadableStreamBYOBReader,
  { declared, bounds: { limitBytes }, holder, watch }: BodyReadContext,
): Promise<Uint8Array> {
  // Reading one byte beyond the limit detects an oversized body of unknown length.
  const mostBytes = declared ?? limitBytes + 1
  let buffer = new ArrayBuffer(0)
  let at = 0
  while (at < mostBytes) {
    if (at === buffer.byteLength) buffer = growBuffer(buffer, nextSize(at, mostBytes), holder)
    // Each read detaches the buffer and returns it with the result.
    const { done, value } = await reader.read(new Uint8Array(buffer, at)).catch((cause: unknown) => {
      watch.pieceArrived(0)
      return rejectTruncated(cause)
    })
    watch.pieceArrived(value?.byteLength ?? 0)
    if (value !== undefined) buffer = value.buffer
    if (done) break
    at += value.byteLength
    holder.renew()
    assertWithinLimit(at, limitBytes)
  }
  if (declared !== null && at < declared) rejectTruncated()
  return new Uint8Array(buffer, 0, at)
}

function growBuffer(buffer: ArrayBuffer, sizeBytes: number, holder: MemoryReservation): ArrayBuffer {
  holder.reserve(buffer.byteLength + sizeBytes)
  const larger = new ArrayBuffer(sizeBytes)
  new Uint8Array(larger).set(new Uint8Array(buffer))
  holder.reserve(sizeBytes)
  return larger
}

/** The next size of a buffer that is full with `bytes` on its way to `mostBytes`. */
function nextSize(bytes: number, mostBytes: number): number {
  let size = mostBytes
  for (;;) {
    const smaller = Math.ceil(size / growth)
    if (smaller <= bytes || smaller < firstBytes) return size
    size = smaller
  }
}

/** Rejects a connection that was cut off: caused by the client, and therefore not logged as a failure. */
function rejectTruncated(cause?: unknown): never {
  throw new BadRequest('body_incomplete', {}, cause)
}

function assertWithinLimit(bytes: number, limitBytes: number): void {
  if (bytes > limitBytes) throw new TooLarge('body_too_large')
}

/** Cancels a body that takes too long: its reader then sees the end of the stream. */
class BodyTimer {
  readonly #reader: ReadableStreamBYOBReader
  readonly #stallMilliseconds: number
  readonly #whole: ReturnType<typeof setTimeout>
  readonly #rate: ReturnType<typeof setInterval> | undefined
  #stall: ReturnType<typeof setTimeout>
  #cancelled: Promise<void> | null = null
  /** Bytes of the current period of the rate. */
  #arrived = 0

  constructor(reader: ReadableStreamBYOBReader, { seconds, stallSeconds, leastRate }: BodyLimits) {
    this.#reader = reader
    if (leastRate !== undefined)
      this.#rate = setInterval(() => this.#check(leastRate.bytes), leastRate.seconds * 1_000)
    this.#stallMilliseconds = stallSeconds * 1_000
    this.#whole = setTimeout(() => this.#expire(), seconds * 1_000)
    this.#stall = this.#newStall()
  }

  /** Throws `RequestTimeout` if the apparent end or failure of the body is due to the timeout. */
  pieceArrived(bytes: number): void {
    this.#arrived += bytes
    if (this.#cancelled !== null) throw new RequestTimeout('body_too_slow')
    clearTimeout(this.#stall)
    this.#stall = this.#newStall()
  }

  async end(): Promise<void> {
    clearTimeout(this.#whole)
    clearTimeout(this.#stall)
    clearInterval(this.#rate)
    await this.#cancelled
  }

  #newStall() {
    return setTimeout(() => this.#expire(), this.#stallMilliseconds)
  }

  #check(leastBytes: number): void {
    if (this.#arrived < leastBytes) this.#expire()
    this.#arrived = 0
  }

  #expire(): void {
    this.#cancelled ??= this.#reader.cancel()
  }
}

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
