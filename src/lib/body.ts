import { BadRequest, TooLarge } from '../errors'

/**
 * The whole body of a request. `TooLarge` beyond `limitBytes`, before it is read where its length is declared.
 *
 * An isolate has 128 MB for all its requests, and an upload may be a third of that: a body of declared length
 * is read into one buffer, with no second copy.
 */
export async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0)
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(declared) || declared < 0) return readChunks(request.body, limitBytes)
  refuseOver(declared, limitBytes)
  return readInto(request.body, declared)
}

async function readInto(body: ReadableStream, sizeBytes: number): Promise<Uint8Array> {
  const reader = body.getReader({ mode: 'byob' })
  let buffer = new ArrayBuffer(sizeBytes)
  let at = 0
  try {
    while (at < sizeBytes) {
      // Each read takes the buffer away and gives it back with the answer.
      const { done, value } = await reader.read(new Uint8Array(buffer, at))
      if (done) throw new BadRequest('The request body ends early')
      buffer = value.buffer
      at += value.byteLength
    }
  } finally {
    // wrangler reads every body to its end after the answer, and complains of a lock in its way.
    reader.releaseLock()
  }
  return new Uint8Array(buffer)
}

async function readChunks(body: ReadableStream, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    refuseOver(size, limitBytes)
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function refuseOver(bytes: number, limitBytes: number): void {
  if (bytes > limitBytes) throw new TooLarge('The request body is too large')
}
