import { type Bodies, type Holder, readBytes } from '../../src/lib/body'
import { readParams } from '../../src/lib/params'

/** For bodies that may hold as much as they like. */
export const unheld: Holder = { hold: () => undefined, touch: () => undefined }

/** Bodies up to a mebibyte, whoever sends them. */
export const plainBodies: Bodies = {
  read: (request) => readBytes(request, { limitBytes: 1_048_576, seconds: 30, stallSeconds: 30 }, unheld),
}

/** The parameters of a request, whoever sent it. */
export function plainParams(request: Request) {
  return readParams(plainBodies, request, { kind: 'text' })
}
