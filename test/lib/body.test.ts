import { describe, expect, it } from 'vitest'
import { BadRequest, TooLarge } from '../../src/errors'
import { readBytes } from '../../src/lib/body'

const sent = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251)

function request(body: BodyInit | null, declared?: number): Request {
  const headers = declared === undefined ? {} : { 'Content-Length': String(declared) }
  return new Request('https://fieldfare.test/', { method: 'POST', headers, body })
}

/** A body that arrives in pieces, as over a network. */
function trickling(): ReadableStream {
  let at = 0
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (at >= sent.length) return controller.close()
      controller.enqueue(sent.slice(at, at + 7_777))
      at += 7_777
    },
  })
}

describe('readBytes', () => {
  it('reads a body of declared and of unknown length, whole or in pieces', async () => {
    for (const body of [
      request(sent, sent.length),
      request(sent),
      request(trickling(), sent.length),
      request(trickling()),
    ])
      expect(await readBytes(body, 200_000)).toEqual(sent)
  })

  it('takes memory as the body arrives, and none for what is only declared', async () => {
    const rooms: number[] = []
    const idle = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        const view = controller.byobRequest?.view ?? null
        rooms.push(view?.byteLength ?? Number.POSITIVE_INFINITY)
        if (rooms.length === 4) return controller.error(new Error('gone'))
        controller.byobRequest?.respond(view?.byteLength ?? 0)
      },
    })
    await expect(readBytes(request(idle, 57_000_000), 57_000_000)).rejects.toThrow(BadRequest)
    expect(rooms).toEqual([1_024, 3_072, 12_288, 49_152])
  })

  it('reads no body as nothing', async () => {
    expect(await readBytes(request(null), 10)).toEqual(new Uint8Array(0))
    expect(await readBytes(request('', 0), 10)).toEqual(new Uint8Array(0))
  })

  it('refuses a body that declares too much before reading it', async () => {
    const large = request(trickling(), 200_001)
    await expect(readBytes(large, 200_000)).rejects.toThrow(TooLarge)
    expect(large.bodyUsed).toBe(false)
  })

  it('stops reading a body of unknown length once it is too large', async () => {
    await expect(readBytes(request(trickling()), 199_999)).rejects.toThrow(TooLarge)
  })

  it('refuses a body shorter than declared', async () => {
    await expect(readBytes(request(trickling(), 200_001), 300_000)).rejects.toThrow(BadRequest)
  })
})
