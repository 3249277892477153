import { BadRequest, TooLarge } from '../errors'

/** The first piece: an idle connection costs no more. */
const firstBytes = 1_024

/**
 * The whole body of a request, in one buffer. `TooLarge` beyond `limitBytes`, before it is read where its length is
 * declared.
 *
 * An isolate has 128 MB for all its requests, and an upload may be half of that: memory grows with what arrives and
 * never with what is declared, which costs its sender nothing. Towards a declared length the buffer grows fourfold,
 * so that the last copy is a quarter of the body at most.
 */
export async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0)
  const declared = declaredLength(request.headers)
  if (declared !== null) refuseOver(declared, limitBytes)
  const reader = request.body.getReader({ mode: 'byob' })
  try {
    return await readWhole(reader, declared, limitBytes)
  } finally {
    // wrangler reads every body to its end after the answer, and complains of a lock in its way.
    reader.releaseLock()
  }
}

function declaredLength(headers: Headers): number | null {
  const declared = Number(headers.get('content-length') ?? Number.NaN)
  return Number.isSafeInteger(declared) && declared >= 0 ? declared : null
}

async function readWhole(
  reader: ReadableStreamBYOBReader,
  declared: number | null,
  limitBytes: number,
): Promise<Uint8Array> {
  // One byte beyond the limit shows a body of unknown length to be too large.
  const mostBytes = declared ?? limitBytes + 1
  let buffer = new ArrayBuffer(Math.min(firstBytes, mostBytes))
  const factor = declared === null ? 2 : 4
  let at = 0
  while (at < mostBytes) {
    if (at === buffer.byteLength) buffer = grown(buffer, Math.min(at * factor, mostBytes))
    // Each read takes the buffer away and gives it back with the answer.
    const { done, value } = await reader.read(new Uint8Array(buffer, at)).catch(endsEarly)
    if (value !== undefined) buffer = value.buffer
    if (done) break
    at += value.byteLength
    refuseOver(at, limitBytes)
  }
  if (declared !== null && at < declared) endsEarly()
  return new Uint8Array(buffer, 0, at)
}

/** A connection that breaks off is its client's doing, and no failure to be logged. */
function endsEarly(cause?: unknown): never {
  throw new BadRequest('The request body ends early', cause)
}

function grown(buffer: ArrayBuffer, sizeBytes: number): ArrayBuffer {
  const larger = new ArrayBuffer(sizeBytes)
  new Uint8Array(larger).set(new Uint8Array(buffer))
  return larger
}

function refuseOver(bytes: number, limitBytes: number): void {
  if (bytes > limitBytes) throw new TooLarge('The request body is too large')
}
