import type { AccountId } from '../ids'

/** Sealed private keys of a local account. */
export interface SigningKeys {
  readonly accountId: AccountId
  readonly privateKey: string
  /** Previous key, while other servers may not have received the change. */
  readonly previousPrivateKey: string | null
}

/** Keys of senders as the database had them at `readAt` (milliseconds), when their host was not suspended. */
export interface SigningFacts {
  readonly keys: readonly SigningKeys[]
  readonly readAt: number
}

/** Deliveries to one remote server, as operators see them. */
export interface CourierState {
  readonly pending: number
  /** Time of the oldest pending delivery. */
  readonly oldestAt: Date | null
  readonly nextAt: Date | null
  /** Consecutive deliveries that failed because of the server, and the first of them. */
  readonly failures: number
  readonly failingSince: Date | null
  readonly lastSuccessAt: Date | null
  /** Class of the last failure of a delivery, such as `http 503`; null without one since the last success. */
  readonly lastError: string | null
  /** Given up after a week of failures. */
  readonly unreachable: boolean
}

/** A step of federation with a remote server, as it was tried. */
export interface CheckedStep {
  readonly step: 'limits' | 'software' | 'webfinger' | 'signature' | 'delivery'
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Sentence for operators. */
  readonly explanation: string
}
