import type { Config } from '../config'
import type { Db } from '../db/db'
import type { Query } from '../db/query'
import type { RateLimitStatus } from '../errors'
import type { BodyReader } from '../lib/body'
import type { CachedFilters } from '../lib/filters/filter-cache'
import type { AccountId, StatusId } from '../lib/ids'
import type { Mail } from '../lib/mail/mail'
import type { HttpRequest, HttpResponse } from '../lib/outgoing/http'
import type { Translator } from '../lib/translation/translator'
import type { FederatedEvent } from '../messages/events'
import type { Job } from '../messages/jobs'
import type { LiveEvent } from '../messages/live'
import type { OutboxMessage } from '../messages/stored'

export interface Clock {
  now(): Date
  /** Waits before something that failed is tried again. */
  sleep(milliseconds: number): Promise<void>
}

export interface Ids {
  /** A new id in the order of time; `at` for things published at another time. */
  next(at?: Date): number
}

export interface Random {
  /** A secret of 256 bits, URL-safe. */
  token(): string
}

export interface SealedKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Heavy cryptography, done where there is CPU for it. */
export interface Vault {
  hashPassword(password: string): Promise<string>
  verifyPassword(password: string, hash: string): Promise<boolean>
  /** An RSA-2048 pair for an actor: the public half as PEM, the private half encrypted. */
  generateKeyPair(): Promise<SealedKeyPair>
  /** A P-256 pair for Web Push: the public half as base64url of the raw point, the private half encrypted. */
  generatePushKeyPair(): Promise<SealedKeyPair>
  /** The RSASSA-PKCS1-v1_5 (SHA-256) signature of `bytes` with an encrypted actor key. */
  sign(privateKey: string, bytes: Uint8Array): Promise<Uint8Array>
  /** The ECDSA (P-256, SHA-256) signature of `bytes` with an encrypted key for Web Push: 64 bytes. */
  signPush(privateKey: string, bytes: Uint8Array): Promise<Uint8Array>
}

export type { HttpRequest, HttpResponse, Translator }

/**
 * All requests to other servers. Refuses (`Unreachable`) what is not public https, at every redirect; throws the
 * same for time-outs and broken connections.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>
  /** How many requests that made so far for this request, message or tick. */
  sent(): number
}

/** The status or the account behind a web address. */
export type ResolvedAddress =
  | { readonly kind: 'status'; readonly id: StatusId }
  | { readonly kind: 'account'; readonly id: AccountId }

/** Finds what other servers have, by address; null for what is not there, not reachable, or refused. */
export interface Resolver {
  /** The account with this handle, asked for by WebFinger where it is unknown or stale. */
  accountByHandle(handle: { readonly username: string; readonly domain: string }): Promise<AccountId | null>
  /** Makes unknown handles known, all at once; what takes more than this time becomes known later. Did any? */
  resolveHandles(
    handles: readonly { readonly username: string; readonly domain: string }[],
    patienceMilliseconds: number,
  ): Promise<boolean>
  /** The account with this actor id or page address; with `fresh`, asked for now even where it is known. */
  accountByUri(uri: string, options?: { readonly fresh: boolean }): Promise<AccountId | null>
  /** The status or account at an address somebody typed: one fetch, and its type decides. */
  resolveAddress(address: string): Promise<ResolvedAddress | null>
  /** The status with this id or page address, as far as anybody may see it or it was sent to us. */
  statusByUri(uri: string): Promise<StatusId | null>
  /** Fetches a collection of accounts that `owner` is said to have; is it theirs? */
  fetchCollection(owner: AccountId, uri: string): Promise<boolean>
  /** Asks whether the author of what a status quotes agreed to it, and keeps the answer. */
  verifyQuote(id: StatusId): Promise<void>
  /** Asks the server of an object about it again: stores what is new or changed, removes what is gone. */
  refetch(uri: string): Promise<void>
  /** All ids in a collection of another server that comes in one piece; null where it cannot be had whole. */
  fetchWholeCollection(url: string): Promise<readonly string[] | null>
}

/**
 * What this isolate remembers for a while. Costs nothing and is gone at any time: good against being asked the same
 * over and over, and for nothing that has to hold.
 */
export interface MemoryCache {
  get(key: string): string | null
  set(key: string, value: string, seconds: number): void
  /** How often this was asked for `key` in the current window of so many seconds, this time included. */
  increment(key: string, seconds: number): number
  /** The same without counting. */
  currentCount(key: string): number
  delete(key: string): void
}

/**
 * People's filters, compiled, as far as this isolate holds them, by `ViewerRef.key`. Gone at any time; the version
 * in the database tells whether they are still the ones.
 */
export interface FilterCache {
  recall(reader: string): CachedFilters | null
  keep(reader: string, held: CachedFilters): void
  /** Drops the compiled filters of `ownerId` for every reader key. */
  forget(ownerId: AccountId): void
}

/** Somebody who is here now, and a stream they listen to; no account stands for a stream that many share. */
export interface Subscriber {
  readonly accountId: AccountId | null
  readonly channel: string
}

/** Where people who are here now hear what happens. */
export interface Streams {
  /**
   * Hands on what is committed to those found listening. Costs the caller nothing and never fails: who misses it
   * finds out by reading.
   */
  publish(news: LiveEvent, audience: readonly Subscriber[]): void
}

/** Finds the connected subscribers of a live event. Behind a port, because every command commits through it. */
export interface StreamAudience {
  /** One statement, for the batch of the commit. */
  of(news: LiveEvent): Query<readonly Subscriber[]>
  /** Whether the audience is read before the writes of its batch, because they may remove who belongs to it. */
  isReadBeforeWrites(news: LiveEvent): boolean
}

/** Posts of other servers that belong to what is here. Each call asks them a bounded number of times. */
export interface Backfill {
  /** Fetches what a status answers; `levels` tells how many more may follow. */
  fetchParent(id: StatusId, levels: number): Promise<void>
  /** Fetches the answers to a status, `levels` deep; tells how many were new at the first level. */
  fetchReplies(id: StatusId, levels: number): Promise<number>
  /** Fetches the latest posts of an account, and those it pinned. */
  backfillAccount(id: AccountId): Promise<void>
}

/** Tells other servers what a committed event means for them. `eventId` makes doing it twice harmless. */
export interface Federation {
  /** Large audiences are told in parts: `after` names the last server that was, and the rest becomes a job. */
  federate(event: FederatedEvent, eventId: number, after?: string): Promise<void>
}

/** One activity for people on one server. */
export interface QueuedDelivery {
  /** With an inbox it names the delivery for good. */
  readonly id: string
  /** Its place: to one inbox, nothing arrives before what has a lower one. */
  readonly order: number
  readonly inboxes: readonly string[]
  /** Whose key signs it. */
  readonly senderId: AccountId
  readonly keyId: string
  readonly body: string
  /** Who of that server follows the sender, as a header (FEP-8fcf). */
  readonly synchronization?: string | null
}

/** Carries parcels to other servers and keeps trying. */
export interface Couriers {
  /** Takes parcels for the server at `host`, the host of the inboxes. What was handed before is not sent again. */
  enqueue(host: string, parcels: readonly QueuedDelivery[]): Promise<void>
  /** The server at `host` gave a sign of life: what waits for it is tried now. */
  wake(host: string): Promise<void>
}

export interface StoredFile {
  readonly body: ReadableStream
  readonly sizeBytes: number
  readonly mime: string
  readonly etag: string
  readonly uploadedAt: Date
}

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** The media store. Keys are paths without a leading slash. */
export interface Files {
  put(key: string, body: ArrayBuffer | Uint8Array | ReadableStream, mime: string): Promise<void>
  get(key: string, range?: ByteRange): Promise<StoredFile | null>
  head(key: string): Promise<Omit<StoredFile, 'body'> | null>
  delete(keys: readonly string[]): Promise<void>
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly mime: string
}

/** What to make of a picture. `cover` fills the box and crops, `scale-down` only ever shrinks. */
export interface PictureOrder {
  readonly width: number
  readonly height: number
  readonly fit: 'cover' | 'scale-down'
  readonly mime: 'image/webp' | 'image/jpeg' | 'image/png'
  /** Keeps an animated WebP moving; otherwise the first frame stands for all. */
  readonly moving?: boolean
}

/** Resizing with orientation applied and metadata (EXIF, GPS) dropped. Throws `Invalid` for what is no picture. */
export interface Images {
  render(source: Uint8Array, order: PictureOrder): Promise<Picture>
}

export type { Mail }

export interface Mailer {
  /** Throws `MailRefused` where trying again is of no use. */
  send(mail: Mail): Promise<void>
  /** False when nobody receives mail for this domain; true also when that cannot be found out now. */
  acceptsMail(domain: string): Promise<boolean>
}

export type RateFamily =
  | 'statuses'
  | 'follows'
  | 'reports'
  | 'media'
  | 'deletions'
  | 'translations'
  | 'encryption'
  | 'signUps'
  | 'apps'
  | 'signInsByIp'
  | 'signInsByName'
  | 'confirmations'
  | 'confirmationsByIp'
  | 'remoteServers'
  | 'remoteActors'
  | 'newRemoteActors'
  | 'fetchedPosts'
  | 'remoteReports'

/** Which count of the flood gate: of one caller, or of a whole network. */
export type FloodScope = 'caller' | 'network'

export interface Throttle {
  /**
   * Counts one more of `family` for `subject`; throws `RateLimited` when the window is used up. Subjects that stand
   * for many may do so `times` as often as one.
   */
  take(family: RateFamily, subject: string, times?: number): Promise<RateLimitStatus>
  /** Counts `amount` more without throwing; answers the end of the window once it is used up, null before. */
  spend(family: RateFamily, subject: string, amount: number): Promise<Date | null>
  /** False when `subject` floods the server; counts nothing that a person could notice. */
  admits(gate: FloodScope, subject: string): Promise<boolean>
}

/** Carries out what durable events ask for, once their batch is committed. */
export interface Outbox {
  /** Runs the effects of committed events after the response and forgets them; a failure is left to the sweep. */
  drain(entries: readonly OutboxEntry[]): void
}

export interface OutboxEntry {
  readonly id: number
  readonly event: OutboxMessage
}

/** The queue of jobs. */
export interface Jobs {
  send(job: Job, options?: { readonly delaySeconds: number }): Promise<void>
}

/** The dead-letter queue: keeps messages that cannot be run, as they came, for the operator to inspect. */
export interface DeadLetters {
  send(message: unknown): Promise<void>
}

export interface Log {
  info(message: string, facts?: Readonly<Record<string, unknown>>): void
  error(message: string, facts?: Readonly<Record<string, unknown>>): void
}

/** What a request, message or tick lends: where late work may go on. */
export interface Lifetime {
  waitUntil(work: Promise<unknown>): void
  /** Settles when the answer is made: effects of what happened do not compete with it for the database. */
  readonly responseSent?: Promise<unknown>
}

/** Everything impure a request, queue message or cron tick may use. */
export interface Ctx {
  /** Names the request, message or tick in the log and to whoever asked. */
  readonly requestId: string
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly config: Config
  readonly vault: Vault
  readonly bodies: BodyReader
  readonly files: Files
  readonly images: Images
  /** Null where the operator has set up no e-mail: everything must work all the same. */
  readonly mailer: Mailer | null
  /** Null where the operator has set up no translation service. */
  readonly translator: Translator | null
  readonly throttle: Throttle
  readonly http: Http
  readonly resolver: Resolver
  readonly backfill: Backfill
  readonly memory: MemoryCache
  /** Tokens found to be nobody's. Apart from `memory`, so that made-up ones push nothing else out. */
  readonly unknownTokens: MemoryCache
  readonly delivery: Federation
  readonly couriers: Couriers
  readonly filters: FilterCache
  readonly streams: Streams
  readonly streamAudience: StreamAudience
  readonly outbox: Outbox
  readonly jobs: Jobs
  readonly deadLetters: DeadLetters
  readonly log: Log
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Work that begins once the answer is made, where nobody waits for it. */
  readonly afterResponse: (work: () => Promise<unknown>) => void
}
