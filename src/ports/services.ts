import type { FilterMatcher } from '../contract/filters'
import type { Query } from '../db/query'
import type { RateLimitStatus } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Job } from '../messages/jobs'
import type { LiveEvent } from '../messages/live'
import type { OutboxMessage } from '../messages/stored'
import type { Mail } from './mail'
import type { FloodScope, RateFamily } from './rate-limits'

export interface SealedKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Heavy cryptography, run where there is CPU for it. */
export interface Vault {
  hashPassword(password: string): Promise<string>
  verifyPassword(password: string, hash: string): Promise<boolean>
  /** Generates an RSA-2048 pair for an actor: the public half as PEM, the private half encrypted for `owner` alone. */
  generateKeyPair(owner: AccountId): Promise<SealedKeyPair>
  /**
   * Generates a P-256 pair for Web Push: the public half as base64url of the raw point, the private half encrypted.
   */
  generatePushKeyPair(): Promise<SealedKeyPair>
  /** Signs `bytes` with the encrypted actor key of `owner`: RSASSA-PKCS1-v1_5 (SHA-256). */
  sign(privateKey: string, bytes: Uint8Array, owner: AccountId): Promise<Uint8Array>
  /** Signs `bytes` with an encrypted key for Web Push: ECDSA (P-256, SHA-256), 64 bytes. */
  signPush(privateKey: string, bytes: Uint8Array): Promise<Uint8Array>
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly mime: string
}

/** Transformation of a picture. `cover` fills the box and crops, `scale-down` only ever shrinks. */
export interface PictureOrder {
  readonly width: number
  readonly height: number
  readonly fit: 'cover' | 'scale-down'
  readonly mime: 'image/webp' | 'image/jpeg' | 'image/png'
  /** Keeps an animated WebP moving; otherwise the first frame stands for all. */
  readonly moving?: boolean
}

/** Resizing with orientation applied and metadata (EXIF, GPS) dropped. Throws `Invalid` for unreadable pictures. */
export interface Images {
  render(source: Uint8Array, order: PictureOrder): Promise<Picture>
}

export interface Mailer {
  /** Throws `MailRefused` where a retry is of no use. */
  send(mail: Mail): Promise<void>
  /** Whether a domain receives mail, and by which hosts. */
  lookUp(domain: string): Promise<MailReach>
}

export interface MailReach {
  /** False when the domain receives no mail; true also when that cannot be determined now. */
  readonly acceptsMail: boolean
  /** Hosts named by its MX records, in lower case. */
  readonly hosts: readonly string[]
}

export interface Throttle {
  /**
   * Counts one more of `family` for `subject`; throws `RateLimited` when the window is used up. Subjects that stand
   * for many may do so `times` as often as one.
   */
  take(family: RateFamily, subject: string, times?: number): Promise<RateLimitStatus>
  /** Counts `amount` more without throwing; returns the end of the window once it is used up, null before. */
  spend(family: RateFamily, subject: string, amount: number): Promise<Date | null>
  /** False when `subject` floods the server; affects no user-visible limit. */
  admits(gate: FloodScope, subject: string): Promise<boolean>
}

/** Runs the effects of durable events after commit. */
export interface Outbox {
  /** Runs the effects of committed events after the response and deletes them; a failure is left to the sweep. */
  drain(entries: readonly OutboxEntry[]): void
}

export interface OutboxEntry {
  readonly id: number
  readonly event: OutboxMessage
}

/** Queue of jobs. */
export interface Jobs {
  send(job: Job, options?: { readonly delaySeconds: number }): Promise<void>
}

/** Periodic task with more to do than fits into a tick. */
export interface QueuedTask {
  readonly task: string
  /** Parts of it that may follow each other in the queue. */
  readonly partsLeft: number
}

/** Periodic tasks. */
export interface Tasks {
  /** Runs the next part of a task. False where no task has this name. */
  continue(task: QueuedTask): Promise<boolean>
}

/** Dead-letter queue: keeps messages that cannot be run, as received, for the operator to inspect. */
export interface DeadLetters {
  send(message: unknown): Promise<void>
}

/** Compiled filters of an account. `version` changes with every edit of them. */
export interface CachedFilters {
  readonly ownerId: AccountId
  readonly version: number
  readonly filters: FilterMatcher
}

/**
 * Compiled filters cached by this isolate, by `ViewerRef.key`. Volatile; the version in the database shows whether
 * they are current.
 */
export interface FilterCache {
  recall(reader: string): CachedFilters | null
  keep(reader: string, filters: CachedFilters): void
  /** Drops the compiled filters of `ownerId` for every reader key. */
  forget(ownerId: AccountId): void
}

/** A connected user and a subscribed stream; no account stands for a shared stream. */
export interface Subscriber {
  readonly accountId: AccountId | null
  readonly channel: string
}

/** Publishing of live events to connected clients. */
export interface Streams {
  /**
   * Publishes a committed event to the subscribers found. Costs the caller nothing and never fails: a client that
   * misses it reads the API.
   */
  publish(event: LiveEvent, audience: readonly Subscriber[]): void
}

/** Finds the connected subscribers of a live event. Behind a port, because every command commits through it. */
export interface StreamAudience {
  /** Single statement, for the batch of the commit. */
  of(event: LiveEvent): Query<readonly Subscriber[]>
  /** Whether the audience is read before the writes of its batch, because they may remove subscribers from it. */
  isReadBeforeWrites(event: LiveEvent): boolean
}

/** The files of `public`, by an address of any host. */
export interface StaticFiles {
  readonly fetch: (address: string) => Promise<Response>
}

/** Objects that answer requests with files, one for each account: reading and checking files takes much computing. */
export interface Uploads {
  /** Answers a request whose sender is found, admitted and counted, and whose body is unread. `Unavailable` where it breaks off. */
  answer(accountId: AccountId, request: Request): Promise<Response>
}

/** Messages that wait in the queue of jobs. */
export interface JobBacklog {
  readonly count: number
  readonly oldestAt: Date | null
}
