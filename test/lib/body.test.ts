import { describe, expect, it } from 'vitest'
import { BadRequest, Overloaded, RequestTimeout, TooLarge } from '../../src/errors'
import { type BodyLimits, readBytes } from '../../src/lib/body'
import { unlimitedReservation } from '../support/plain-bodies'

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

function read(
  from: Request,
  limitBytes: number,
  bounds: Omit<BodyLimits, 'limitBytes'> = { seconds: 30, stallSeconds: 30 },
  holder = unlimitedReservation,
) {
  return readBytes(from, { limitBytes, ...bounds }, holder)
}

/** A body that begins and never goes on. */
function stalling(): ReadableStream {
  return new ReadableStream({ type: 'bytes', start: (controller) => controller.enqueue(sent.slice(0, 10)) })
}

describe('readBytes', () => {
  it('reads a body of declared and of unknown length, whole or in pieces', async () => {
    for (const body of [
      request(sent, sent.length),
      request(sent),
      request(trickling(), sent.length),
      request(trickling()),
    ])
      expect(await read(body, 200_000)).toEqual(sent)
  })

  it('reserves memory as the body arrives, and none for declared bytes', async () => {
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
    await expect(read(request(idle, 64_000_000), 64_000_000)).rejects.toThrow(BadRequest)
    // A 16,384th of what is declared at first, then four times as much each time.
    expect(rooms).toEqual([3_907, 15_625 - 3_907, 62_500 - 15_625, 250_000 - 62_500])
  })

  it('readBytes reserves its memory before it allocates, with the copy while it grows', async () => {
    const held: number[] = []
    const holder = { reserve: (bytes: number) => void held.push(bytes), renew: () => undefined }
    await read(request(trickling(), 16_384), 16_384, undefined, holder)
    expect(held).toEqual([1_024, 1_024, 5_120, 4_096, 20_480, 16_384])
    const full = {
      ...holder,
      reserve: () => {
        throw new Overloaded(10)
      },
    }
    const refused = request(trickling(), 16_384)
    await expect(read(refused, 16_384, undefined, full)).rejects.toThrow(Overloaded)
  })

  it.each([
    ['the whole', { seconds: 0.02, stallSeconds: 60 }],
    ['the next piece', { seconds: 60, stallSeconds: 0.02 }],
  ])('refuses a body that is too slow: %s', async (_what, bounds) => {
    await expect(read(request(stalling(), 20), 20, bounds)).rejects.toThrow(RequestTimeout)
    await expect(read(request(stalling()), 20, bounds)).rejects.toThrow(RequestTimeout)
  })

  it('refuses a body below the minimum rate', async () => {
    const bounds = { seconds: 60, stallSeconds: 60, leastRate: { bytes: 20, seconds: 0.02 } }
    await expect(read(request(stalling()), 100, bounds)).rejects.toThrow(RequestTimeout)
    expect(await read(request(sent), 200_000, { ...bounds, leastRate: { bytes: 1, seconds: 60 } })).toEqual(
      sent,
    )
  })

  it('reads a missing body as empty', async () => {
    expect(await read(request(null), 10)).toEqual(new Uint8Array(0))
    expect(await read(request('', 0), 10)).toEqual(new Uint8Array(0))
  })

  it('refuses a body that declares too much before reading it', async () => {
    const large = request(trickling(), 200_001)
    await expect(read(large, 200_000)).rejects.toThrow(TooLarge)
    expect(large.bodyUsed).toBe(false)
  })

  it('stops reading a body of unknown length once it is too large', async () => {
    await expect(read(request(trickling()), 199_999)).rejects.toThrow(TooLarge)
  })

  it('refuses a body shorter than declared', async () => {
    await expect(read(request(trickling(), 200_001), 300_000)).rejects.toThrow(BadRequest)
  })
})
