import { type BodyReader, type MemoryReservation, readBytes } from '../../src/lib/body'
import { readParams } from '../../src/lib/params'

/** For bodies that may hold as much as they like. */
export const unlimitedReservation: MemoryReservation = { reserve: () => undefined, renew: () => undefined }

/** Bodies up to a mebibyte, whoever sends them. */
export const plainBodies: BodyReader = {
  read: (request) =>
    readBytes(request, { limitBytes: 1_048_576, seconds: 30, stallSeconds: 30 }, unlimitedReservation),
}

/** The parameters of a request, whoever sent it. */
export function plainParams(request: Request) {
  return readParams(plainBodies, request, { kind: 'text' })
}
