import { archivedActor, archivedOutbox } from './activitypub/archive'
import { backfillAccount } from './activitypub/backfill'
import { checkServer } from './activitypub/check-server'
import { fetchWholeCollection } from './activitypub/followers-sync'
import { federate, federateTo } from './activitypub/outbox/federate'
import {
  accountByHandle,
  accountByUri,
  fetchCollection,
  resolveAddress,
  resolveHandles,
  statusByUri,
} from './activitypub/resolve'
import { findInteractionPage } from './activitypub/routes/webfinger'
import { fetchParent, fetchReplies, refetch } from './activitypub/threads'
import { verifyQuote } from './activitypub/verify-quote'
import { readArchivedItem, readArchivedProfile } from './activitypub/vocab/archive'
import { bodiesOf } from './cloudflare/bodies'
import { cataloguesIn } from './cloudflare/catalogues'
import { configOf } from './cloudflare/config-cache'
import { httpOf } from './cloudflare/http'
import { imagesOf } from './cloudflare/images'
import { consoleLog, withRequestId } from './cloudflare/log'
import { mailerOf } from './cloudflare/mailer'
import { filesIn } from './cloudflare/r2-files'
import { observeThrottle, throttleOf } from './cloudflare/throttle'
import { translatorOf } from './cloudflare/translator'
import { uploadsOf } from './cloudflare/uploads'
import { readJobBacklog, usageOf } from './cloudflare/usage'
import { UsageMeter } from './cloudflare/usage-meter'
import { vaultOf } from './cloudflare/vault'
import type { Config } from './config'
import { operationsPerMessage } from './contract/usage'
import { continueTask } from './cron/schedule'
import {
  isRefusedStorage,
  isRefusedWrite,
  namedTables,
  type ObservedBinding,
  observeBinding,
  type StatementObserver,
  WriteLog,
} from './db/observed-binding'
import { openDb } from './db/query'
import { type ReceivedLetter, storeLetters } from './domain/health/dead-letters'
import { noteRefusedWrite } from './domain/health/health'
import { CompiledFilterCache } from './domain/policy/filters/compiled'
import { isReadBeforeWrites, subscribersOfEvent } from './domain/streams/find-audience'
import { storeUsage } from './domain/usage/store'
import { kindOf } from './jobs/consumer'
import { drain } from './jobs/outbox'
import { ExpiringCache } from './lib/expiring-cache'
import { idSequence } from './lib/ids'
import { ResponseCache, type Responses } from './lib/response-cache'
import { base64url } from './lib/secrets'
import type { Catalogues, Clock, Ctx, Lifetime, MemoryCache } from './ports/ctx'
import type { FilterCache, OutboxEntry, Streams } from './ports/services'
import type { Usage } from './ports/usage'
import type { CalledObjects, StreamObjects } from './streaming/messages'
import { publish } from './streaming/publish'
import type { PublishedEvent } from './streaming/publish-facts'
import { tasks } from './tasks'

/** Ports a test or an object replaces. */
export interface Overrides extends Partial<Omit<Ctx, 'waitUntil' | 'later' | 'outbox'>> {
  /** Objects that hold connections. */
  readonly calls?: CalledObjects
  readonly cachedResponses?: CachedResponses
  readonly meter?: UsageMeter
}

/** Cached responses of an isolate, and the log of writes that outdates them. */
export interface CachedResponses {
  readonly cache: ResponseCache
  readonly writes: WriteLog
  /** Uses of cached responses by network. */
  readonly uses: ExpiringCache
}

/** Objects of connected users, and of shared streams. Each call gets a stub of its own. */
export function streamObjects(env: Env, { add }: Pick<Usage, 'add'> = isolateUsage): StreamObjects {
  return {
    connection: (accountId) => {
      add('objectCalls', 1)
      return env.CONNECTION.get(env.CONNECTION.idFromName(String(accountId)))
    },
    topic: (channel) => {
      add('objectCalls', 1)
      return env.TOPIC.get(env.TOPIC.idFromName(channel))
    },
  }
}

/** Couriers of remote servers. */
function couriersOf(env: Env, { add }: Usage) {
  return (host: string) => {
    add('objectCalls', 1)
    return env.COURIER.get(env.COURIER.idFromName(host))
  }
}

/**
 * Queues of jobs, and of messages that cannot be run. An account without Cloudflare's queues has an object for each kind
 * of job, and stores the others at once.
 */
function queuesOf(
  env: Partial<Env> & Pick<Env, 'JOB_QUEUE'>,
  { add }: Usage,
  store: (letter: ReceivedLetter) => Promise<void>,
): Pick<Ctx, 'jobs' | 'deadLetters'> {
  const { JOBS: jobs, JOBS_DEAD: dead } = env
  return {
    jobs: {
      send: async (job, options) => {
        if (jobs === undefined) {
          add('objectCalls', 1)
          return env.JOB_QUEUE.get(env.JOB_QUEUE.idFromName(job.kind)).add(job, options?.delaySeconds)
        }
        add('queueOperations', operationsPerMessage)
        await jobs.send(job, options)
      },
    },
    deadLetters: {
      send: async (message) => {
        if (dead === undefined)
          return store({ messageId: crypto.randomUUID(), kind: kindOf(message), message })
        add('queueOperations', operationsPerMessage)
        await dead.send(message)
      },
    },
  }
}

const realClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Translations for requests that have no Ctx. */
export function cataloguesOf({ ASSETS }: Env): Catalogues {
  return cataloguesIn(ASSETS, consoleLog)
}

/** Builds a real Ctx from the bindings: the only file that knows every implementation. */
export function wire(
  env: Env,
  lifetime: Lifetime,
  { calls, cachedResponses = ownResponses, meter = ownMeter, ...overrides }: Overrides = {},
): Ctx {
  const clock = overrides.clock ?? realClock
  const startedAt = clock.now()
  const random = overrides.random ?? { token: () => base64url(crypto.getRandomValues(new Uint8Array(32))) }
  const config = configAt(startedAt, overrides.config ?? configOf(env))
  const requestId = overrides.requestId ?? crypto.randomUUID()
  const log = withRequestId(requestId, overrides.log ?? consoleLog)
  const store = () => ctx.afterResponse(() => storeUsage(ctx))
  const limits = () => config.dailyLimits[meter.plan ?? config.plan]
  const usage = overrides.usage ?? usageOf(meter, { clock, startedAt, limits, store })
  const http = overrides.http ?? httpOf(config, usage)
  const failedWrite = (failure: unknown) => {
    if (isRefusedWrite(failure)) noteRefusedWrite(ctx)
  }
  const failedStorage = (failure: unknown) => {
    if (isRefusedStorage(failure)) noteRefusedWrite(ctx)
  }
  const observer = { ...countStatements(usage), failedWrite }
  const observed = observeBinding(env.DB, cachedResponses.writes, observer)
  const courier = couriersOf(env, usage)
  const ctx: Ctx = {
    requestId,
    db: openDb(observed.binding),
    clock,
    random,
    ids: { next: (at) => nextId(at ?? clock.now()) },
    vault: vaultOf(env, usage),
    bodies: bodiesOf(config, lifetime, clock),
    uploads: uploadsOf(env, usage),
    files: filesIn(env.MEDIA, usage),
    images: config.missingServices.includes('images') ? null : imagesOf(env.IMAGES, log, usage),
    mailer: config.mailFrom === null ? null : mailerOf(env.EMAIL, config.mailFrom, { log, usage }),
    throttle: observeThrottle(
      throttleOf(env, () => clock.now(), usage),
      failedStorage,
    ),
    http,
    translator: translatorOf(config, http, env),
    catalogues: cataloguesIn(env.ASSETS, log),
    staticFiles: env.ASSETS,
    resolver: {
      accountByHandle: (handle) => accountByHandle(ctx, handle),
      interactionPage: (server, wanted) => findInteractionPage(ctx, server, wanted),
      resolveHandles: (handles, timeout) => resolveHandles(ctx, handles, timeout),
      accountByUri: (uri, options) => accountByUri(ctx, uri, options),
      statusByUri: (uri) => statusByUri(ctx, uri),
      relayedStatus: (uri) => statusByUri(ctx, uri, 'relayed'),
      resolveAddress: (address) => resolveAddress(ctx, address),
      refetch: (uri, hint) => refetch(ctx, uri, hint),
      fetchCollection: (owner, uri) => fetchCollection(ctx, owner, uri),
      verifyQuote: (id) => verifyQuote(ctx, id),
      checkServer: (domain) => checkServer(ctx, domain),
      fetchWholeCollection: (url) => fetchWholeCollection(ctx, url),
    },
    readArchivedItem,
    readArchivedProfile,
    archiveDocuments: {
      outbox: (owner, after) => archivedOutbox(ctx, owner, after),
      actor: (owner) => archivedActor(ctx, owner),
    },
    discovery: { find: (handle) => courier(handle.domain).find(handle) },
    backfill: {
      fetchParent: (id, levels) => fetchParent(ctx, id, levels),
      fetchReplies: (id, levels, rest) => fetchReplies(ctx, id, levels, rest),
      backfillAccount: (id, part) => backfillAccount(ctx, id, part),
    },
    memory: memoryIn(sharedMemory, () => clock.now()),
    deadTokens: memoryIn(deadTokens, () => clock.now()),
    delivery: {
      federate: (event, eventId, scope) =>
        scope === undefined || 'after' in scope
          ? federate(ctx, event, { ...scope, eventId })
          : federateTo(ctx, event, { ...scope, eventId }),
    },
    couriers: {
      enqueue: (host, deliveries, signing) => courier(host).hand(host, [...deliveries], signing),
      wake: (host) => courier(host).wake(),
    },
    courierControl: {
      state: (host) => courier(host).state(),
      retry: (host) => courier(host).retry(),
      drop: (host) => courier(host).drop(),
    },
    responses: responsesOf(cachedResponses, observed, clock),
    filters: filterCache,
    streamAudience: { of: (event) => subscribersOfEvent(ctx, event), isReadBeforeWrites },
    streams: streamsOf({
      filters: overrides.filters ?? filterCache,
      begin: (pending) =>
        ctx.afterResponse(() => publish(ctx, calls ?? streamObjects(env, usage), pending.splice(0))),
    }),
    outbox: {
      drain: (entries: readonly OutboxEntry[]) =>
        lifetime.waitUntil(Promise.resolve(lifetime.responseSent?.()).then(() => drain(ctx, entries))),
    },
    jobBacklog: () => readJobBacklog(env.JOBS, log),
    tasks: { continue: (task) => continueTask(ctx, tasks, task) },
    ...queuesOf(env, usage, (letter) => storeLetters(ctx, [letter])),
    usage,
    ...overrides,
    config,
    log,
    waitUntil: (work) => lifetime.waitUntil(work),
    afterResponse: (work) => lifetime.waitUntil(Promise.resolve(lifetime.responseSent?.()).then(work)),
  }
  return ctx
}

/** Expires links made for a request by its time. */
function configAt(at: Date, config: Config): Config {
  return { ...config, mediaProxy: config.mediaProxy.at(at) }
}

/** Shared by all requests of an isolate: random ids of one millisecond clashed now and then when many posted at once. */
const nextId = idSequence(() => crypto.getRandomValues(new Uint16Array(1))[0] ?? 0)

/** A few megabytes when full. */
const sharedMemory = new ExpiringCache(4_000, 20_000)

/** About a hundred kilobytes when full. */
const deadTokens = new ExpiringCache(2_000)

/** Eight megabytes when full, and one for the uses. */
export const ownResponses: CachedResponses = {
  cache: new ResponseCache(),
  writes: new WriteLog(),
  uses: new ExpiringCache(0, 10_000),
}

/** Uses counted by this isolate. */
export const ownMeter = new UsageMeter()

/** Counts what no single invocation is known for. */
const isolateUsage: Pick<Usage, 'add'> = {
  add: (kind, amount) => ownMeter.add(realClock.now(), kind, amount),
}

function countStatements(usage: Usage): Omit<StatementObserver, 'failedWrite'> {
  return {
    sent: (statements) => usage.add('statements', statements),
    answered(results) {
      let [rowsRead, rowsWritten, databaseBytes] = [0, 0, 0]
      for (const { meta } of results) {
        rowsRead += meta.rows_read
        rowsWritten += meta.rows_written
        databaseBytes = meta.size_after
      }
      usage.add('rowsRead', rowsRead)
      if (rowsWritten > 0) usage.add('rowsWritten', rowsWritten)
      if (databaseBytes > 0) usage.noteDatabaseBytes(databaseBytes)
    },
  }
}

/** Binds the cached responses of the isolate to one request. */
function responsesOf(
  { cache, writes, uses }: CachedResponses,
  observed: ObservedBinding,
  clock: Clock,
): Responses {
  return {
    get: (key) => cache.get(key, clock.now(), ({ tables, position }) => writes.isUnwritten(tables, position)),
    record() {
      const [readAt, position, end] = [clock.now(), writes.position, observed.recordStatements()]
      return {
        keep: (key, response, seconds) =>
          cache.set(key, response, { tables: namedTables(end()), position, readAt, seconds }),
      }
    },
    countUse: (network) => uses.count(network, 60, clock.now()),
  }
}

/** Several megabytes when full. */
const filterCache = new CompiledFilterCache(20_000)

/**
 * Publishes the live events of one request together, after its response. Cached filters of an account are dropped as
 * soon as they change.
 */
function streamsOf({
  filters,
  begin,
}: {
  readonly filters: FilterCache
  readonly begin: (pending: PublishedEvent[]) => void
}): Streams {
  const pending: PublishedEvent[] = []
  return {
    publish: (news, audience) => {
      if (news.kind === 'filters.changed') filters.forget(news.accountId)
      if (audience.length === 0) return
      pending.push({ news, audience })
      if (pending.length === 1) begin(pending)
    },
  }
}

/** Binds `memory` to the clock of one request, message or tick. */
export function memoryIn(memory: ExpiringCache, now: () => Date): MemoryCache {
  return {
    get: (key) => memory.recall(key, now()),
    set: (key, value, seconds) => memory.remember(key, { value, seconds }, now()),
    increment: (key, seconds) => memory.count(key, seconds, now()),
    currentCount: (key) => memory.counted(key, now()),
    delete: (key) => memory.forget(key),
  }
}
