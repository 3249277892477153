import type { Config } from '../config'
import {
  type BodyKind,
  type BodyLimits,
  BodyMemory,
  type BodyMemoryLimits,
  type BodyReader,
  readBytes,
} from '../lib/body'
import { clientAddress, sitePrefixOf } from '../lib/network'
import type { Clock, Lifetime } from '../ports/ctx'

const kilobyte = 1_024
const megabyte = 1_048_576

type Limits = Config['limits']
type KindBounds = BodyLimits & BodyMemoryLimits

/**
 * Memory bounds of each kind of body. All kinds together, with the largest upload growing, stay below 100 MB of the
 * 128 an isolate has. One upload of the largest size fits at a time. Unauthenticated senders get room for sixteen
 * networks.
 */
function boundsOf({ imageBytes, videoBytes }: Limits): Readonly<Record<BodyKind, KindBounds>> {
  // Room for the largest file with its thumbnail, and a quarter for the copy made while the buffer grows.
  const uploadBytes = Math.max(imageBytes, videoBytes) + imageBytes + megabyte
  const uploadRoom = uploadBytes * 1.25 + kilobyte
  const stallSeconds = 15
  return {
    stranger: {
      limitBytes: 64 * kilobyte,
      seconds: 10,
      stallSeconds,
      totalBytes: 4 * megabyte,
      networkBytes: 256 * kilobyte,
    },
    delivery: {
      limitBytes: megabyte,
      seconds: 30,
      stallSeconds,
      totalBytes: 12 * megabyte,
      networkBytes: 2 * megabyte,
    },
    text: {
      limitBytes: megabyte,
      seconds: 30,
      stallSeconds,
      totalBytes: 8 * megabyte,
      networkBytes: 2 * megabyte,
    },
    upload: {
      limitBytes: uploadBytes,
      seconds: 600,
      stallSeconds,
      // The object that reads it is billed while it arrives, and other uploads of the account wait.
      leastRate: { bytes: 30 * 16 * kilobyte, seconds: 30 },
      totalBytes: uploadRoom,
      networkBytes: uploadRoom,
    },
  }
}

/** Memory budgets of this isolate, by configured limits. */
const roomsOf = new WeakMap<Limits, Map<BodyKind, BodyMemory>>()

/** Reads the bodies of one request; their memory is released after the response. */
export function bodiesOf({ limits }: Config, lifetime: Lifetime, clock: Clock): BodyReader {
  const bounds = boundsOf(limits)
  return {
    async read(request, kind) {
      const room = roomFor(limits, kind, bounds[kind])
      const [body, network] = [Symbol(kind), sitePrefixOf(clientAddress(request.headers))]
      let bytes = 0
      const hold = (more: number) => {
        bytes = more
        room.reserve(body, { network, bytes, now: clock.now() })
      }
      const leave = () => room.release(body)
      try {
        const read = await readBytes(request, bounds[kind], { reserve: hold, renew: () => hold(bytes) })
        lifetime.waitUntil(Promise.resolve(lifetime.responseSent?.()).then(leave))
        return read
      } catch (failure) {
        leave()
        throw failure
      }
    },
  }
}

function roomFor(limits: Limits, kind: BodyKind, bounds: BodyMemoryLimits): BodyMemory {
  const rooms = roomsOf.get(limits) ?? new Map<BodyKind, BodyMemory>()
  const room = rooms.get(kind) ?? new BodyMemory(bounds)
  roomsOf.set(limits, rooms.set(kind, room))
  return room
}
