import type { SignatureScheme } from '../../../lib/signatures/sign'

/** State of the server that a courier delivers to. */
export interface ServerState {
  readonly host: string
  /** Consecutive deliveries that failed because of the server. */
  readonly failures: number
  /** Next attempt at an unresponsive server, in milliseconds. */
  readonly pausedUntil: number | null
  /** Retry-After of the server. */
  readonly heldUntil: number | null
  readonly scheme: SignatureScheme | null
  readonly wokenAt: number
  /** First of the consecutive failures. */
  readonly failingSince: number | null
  readonly lastSuccessAt: number | null
  /** Class of the last failure; null without one since the last success. */
  readonly lastError: string | null
  /** The database knows of the failures. */
  readonly isReported: boolean
  /** Given up after a week of failures: nothing is sent until the server makes contact. */
  readonly unreachable: boolean
  /** Time of the last look at all that is stored, for what is too old. */
  readonly sweptAt: number
}

/** State of a server that had no deliveries yet. */
export const unknownServer: ServerState = {
  host: '',
  failures: 0,
  pausedUntil: null,
  heldUntil: null,
  scheme: null,
  wokenAt: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastError: null,
  isReported: false,
  unreachable: false,
  sweptAt: 0,
}
