import type { Config } from '../config'
import type { Db } from '../db/query'
import type { BodyReader } from '../lib/body'
import type { PageLanguage } from '../lib/page-language'
import type { Responses } from '../lib/response-cache'
import type { Catalogue } from '../lib/translate'
import type { ArchiveDocuments, ReadArchivedItem, ReadArchivedProfile } from './archives'
import type { Backfill, CourierControl, Couriers, Discovery, Federation, Http, Resolver } from './federation'
import type { Files } from './files'
import type {
  DeadLetters,
  FilterCache,
  Images,
  JobBacklog,
  Jobs,
  Mailer,
  Outbox,
  StaticFiles,
  StreamAudience,
  Streams,
  Tasks,
  Throttle,
  Uploads,
  Vault,
} from './services'
import type { Translator } from './translator'
import type { Usage } from './usage'

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

/** Texts of pages, mails and push messages. */
export interface Catalogues {
  /** Texts by their keys, English ones where the language lacks them; empty where no catalogue can be read. */
  load(language: PageLanguage): Promise<Catalogue>
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
  /** Null where no e-mail is configured: every feature must work without it. */
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
