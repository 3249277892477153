import type { Config } from '../config'
import type { Db } from '../db/db'
import type { Query } from '../db/query'
import type { RateLimitStatus } from '../errors'
import type { ArchiveDocuments } from '../lib/archives/archive-documents'
import type { ReadArchivedItem, ReadArchivedProfile } from '../lib/archives/archived'
import type { Backfill } from '../lib/backfill'
import type { BodyReader } from '../lib/body'
import type { CheckedStep, CourierState, SigningFacts, SigningKeys } from '../lib/deliveries/facts'
import type { CachedFilters } from '../lib/filters/filter-cache'
import type { AccountId, StatusId } from '../lib/ids'
import type { JobBacklog } from '../lib/job-backlog'
import type { Mail } from '../lib/mail/mail'
import type { HttpRequest, HttpResponse } from '../lib/outgoing/http'
import type { PageLanguage } from '../lib/page-language'
import type { Responses } from '../lib/response-cache'
import type { StaticFiles } from '../lib/static-files'
import type { ByteRange, Files, ListedFile, StoredFile } from '../lib/stored-file'
import type { Translator } from '../lib/translation/translator'
import type { Uploads } from '../lib/uploads'
import type { Usage } from '../lib/usage/usage'
import type { FederatedEvent } from '../messages/events'
import type { Job, RefetchHint } from '../messages/jobs'
import type { LiveEvent } from '../messages/live'
import type { OutboxMessage } from '../messages/stored'
import type { FloodScope, RateFamily } from './rate-limits'

export interface Clock {
  now(): Date
  /** Waits before a retry. */
  sleep(milliseconds: number): Promise<void>
}

export interface Ids {
  /** Returns a new time-ordered id; `at` for objects published at another time. */
  next(at?: Date): number
}

export interface Random {
  /** Returns a secret of 256 bits, URL-safe. */
  token(): string
}

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

export type {
  CheckedStep,
  CourierState,
  FloodScope,
  HttpRequest,
  HttpResponse,
  RateFamily,
  SigningFacts,
  SigningKeys,
  Translator,
  Usage,
}

/**
 * Outgoing requests. Refuses (`Unreachable`) addresses that are not public https, at every redirect; throws the same
 * for time-outs and broken connections.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>
  /** Number of requests sent so far for this request, message or tick. */
  sent(): number
}

/** Status or account behind a web address. */
export type ResolvedAddress =
  | { readonly kind: 'status'; readonly id: StatusId }
  | { readonly kind: 'account'; readonly id: AccountId }

/** Interaction of a user of another server with an account or status of this one. */
export interface RemoteInteraction {
  readonly interaction: 'follow' | 'reply' | 'reblog' | 'favourite'
  /** Identifies the account or status for other servers. */
  readonly uri: string
}

/** Page of another server where its user interacts with something of this one. */
export type InteractionPage =
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'missing' | 'unreachable' }

/** Lookup of handles, each in an invocation of its own. */
export interface Discovery {
  find(handle: { readonly username: string; readonly domain: string }): Promise<AccountId | null>
}

/** Resolves remote objects by address; null for missing, unreachable or refused ones. */
export interface Resolver {
  /** Resolves a handle to an account, by WebFinger where it is unknown or stale. */
  accountByHandle(handle: { readonly username: string; readonly domain: string }): Promise<AccountId | null>
  /** Looks up the page of a user's own server for an interaction, by WebFinger; `username` may be unknown. */
  interactionPage(
    server: { readonly username: string | null; readonly domain: string },
    wanted: RemoteInteraction,
  ): Promise<InteractionPage>
  /** Resolves unknown handles concurrently; those beyond the time limit finish later. True when any was found. */
  resolveHandles(
    handles: readonly { readonly username: string; readonly domain: string }[],
    timeoutMilliseconds: number,
  ): Promise<boolean>
  /** Resolves an actor id or page address to an account; with `fresh`, refetched even where known. */
  accountByUri(uri: string, options?: { readonly fresh: boolean }): Promise<AccountId | null>
  /** Resolves an address typed by a user to a status or account: one fetch, and the document's type decides. */
  resolveAddress(address: string): Promise<ResolvedAddress | null>
  /** Resolves an id or page address to a status that is public or was addressed to a local account. */
  statusByUri(uri: string): Promise<StatusId | null>
  /** Resolves the id of a status that a relay passed on: one that is public. */
  relayedStatus(uri: string): Promise<StatusId | null>
  /** Fetches and stores a collection of accounts; returns whether `owner` is its author. */
  fetchCollection(owner: AccountId, uri: string): Promise<boolean>
  /** Verifies the quoted author's consent, and stores the result. */
  verifyQuote(id: StatusId): Promise<void>
  /** Refetches an object: stores what is new or changed, and removes a deleted one. */
  refetch(uri: string, hint?: RefetchHint): Promise<void>
  /** Tries each step of federation with a server, and explains how it went. */
  checkServer(domain: string): Promise<readonly CheckedStep[]>
  /** Fetches all ids of a remote unpaged collection; null where it cannot be fetched whole. */
  fetchWholeCollection(url: string): Promise<readonly string[] | null>
}

/**
 * Short-lived cache of this isolate. Free and volatile: suited to avoiding repeated work, and to no state that must
 * persist.
 */
export interface MemoryCache {
  get(key: string): string | null
  set(key: string, value: string, seconds: number): void
  /** Counts one use of `key` and returns the uses in the current window of so many seconds, including this one. */
  increment(key: string, seconds: number): number
  /** Returns the current count without counting. */
  currentCount(key: string): number
  delete(key: string): void
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

/** Inboxes of one part of an audience, with what followers-only activities add for each host. */
export interface AudiencePart {
  readonly inboxes: readonly string[]
  /** Digests of the sender's followers by host (FEP-8fcf); null for activities that are for others too. */
  readonly digests: Readonly<Record<string, string>> | null
}

/** Federates a committed event. `eventId` makes repetition harmless. */
export interface Federation {
  /** Large audiences become jobs, one for each part: these federate to it alone, or to the inboxes behind `after`. */
  federate(
    event: FederatedEvent,
    eventId: number,
    scope?: AudiencePart | { readonly after: string },
  ): Promise<void>
}

/** An activity for inboxes on one server. */
export interface QueuedDelivery {
  /** Identifies the delivery, together with an inbox. */
  readonly id: string
  /** Position: per inbox, deliveries arrive in ascending order. */
  readonly order: number
  readonly inboxes: readonly string[]
  /** Owner of the signing key. */
  readonly senderId: AccountId
  readonly keyId: string
  readonly body: string
  /** Collection-Synchronization header: the server's followers of the sender (FEP-8fcf). */
  readonly synchronization?: string | null
}

/** Queues of deliveries to remote servers, with retries. */
export interface Couriers {
  /**
   * Enqueues deliveries for the server at `host`, the host of the inboxes. Known ones are not sent again. With
   * `signing`, the first attempt does without the database.
   */
  enqueue(host: string, deliveries: readonly QueuedDelivery[], signing?: SigningFacts | null): Promise<void>
  /** Retries pending deliveries now, after contact from the server at `host`. */
  wake(host: string): Promise<void>
}

/** Couriers in the hands of operators. */
export interface CourierControl {
  /** State of the courier for `host`; null where it never had deliveries, or forgot them. */
  state(host: string): Promise<CourierState | null>
  /** Retries all pending deliveries now, also to inboxes that count as gone. Returns their number. */
  retry(host: string): Promise<number>
  /** Gives up all pending deliveries. Returns their number. */
  drop(host: string): Promise<number>
}

export type { ByteRange, Files, JobBacklog, ListedFile, StoredFile }

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

export type { Mail }

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

/** Words of pages in languages other than English. */
export interface Catalogues {
  /** Translations by the English text; empty for English, and where the catalogue cannot be read. */
  load(language: PageLanguage): Promise<Readonly<Record<string, string>>>
}

export interface Log {
  info(message: string, facts?: Readonly<Record<string, unknown>>): void
  error(message: string, facts?: Readonly<Record<string, unknown>>): void
}

/** Lifetime of a request, message or tick, for work that outlives it. */
export interface Lifetime {
  waitUntil(work: Promise<unknown>): void
  /** Settles when the response is made: effects do not compete with it for the database. */
  readonly responseSent?: () => Promise<unknown>
}

/** Impure ports of a request, queue message or cron tick. */
export interface Ctx {
  /** Identifies the request, message or tick in the log and to the client. */
  readonly requestId: string
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly config: Config
  readonly vault: Vault
  readonly bodies: BodyReader
  /** Null inside of such an object: the Worker has admitted and counted the request. */
  readonly uploads: Uploads | null
  readonly files: Files
  /** Null where the account of the operator has no image service: pictures are kept as they are. */
  readonly images: Images | null
  /** Null where no e-mail is configured: every feature must work all the same. */
  readonly mailer: Mailer | null
  /** Null where no translation service is configured. */
  readonly translator: Translator | null
  readonly catalogues: Catalogues
  readonly staticFiles: StaticFiles
  readonly throttle: Throttle
  readonly http: Http
  readonly resolver: Resolver
  readonly readArchivedItem: ReadArchivedItem
  readonly readArchivedProfile: ReadArchivedProfile
  readonly archiveDocuments: ArchiveDocuments
  readonly discovery: Discovery
  readonly backfill: Backfill
  readonly memory: MemoryCache
  /** Cache of tokens that were unknown or revoked. Apart from `memory`, so that made-up ones evict no other entries. */
  readonly deadTokens: MemoryCache
  readonly delivery: Federation
  readonly couriers: Couriers
  readonly courierControl: CourierControl
  readonly responses: Responses
  readonly filters: FilterCache
  readonly streams: Streams
  readonly streamAudience: StreamAudience
  readonly outbox: Outbox
  readonly jobs: Jobs
  /** Reads the backlog of the queue; null where it cannot be read. */
  readonly jobBacklog: () => Promise<JobBacklog | null>
  readonly tasks: Tasks
  readonly deadLetters: DeadLetters
  readonly usage: Usage
  readonly log: Log
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Runs work after the response, where no client waits for it. */
  readonly afterResponse: (work: () => Promise<unknown>) => void
}
