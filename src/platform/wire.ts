import { backfillAccount } from '../activitypub/backfill'
import { fetchCollection } from '../activitypub/fetch-collection'
import { fetchWholeCollection } from '../activitypub/followers-sync'
import { federate, federateTo } from '../activitypub/outbox/federate'
import { refetch } from '../activitypub/refetch'
import { accountByHandle, accountByUri, resolveHandles } from '../activitypub/resolve-accounts'
import { resolveAddress } from '../activitypub/resolve-address'
import { statusByUri } from '../activitypub/resolve-statuses'
import { fetchParent, fetchReplies } from '../activitypub/threads'
import { verifyQuote } from '../activitypub/verify-quote'
import type { Config } from '../config'
import { configOf } from '../config-cache'
import { continueTask } from '../cron/schedule'
import { openDb } from '../db/db'
import { isReadBeforeWrites, subscribersOfEvent } from '../domain/streams/find-audience'
import { drain } from '../jobs/outbox'
import { ExpiringCache } from '../lib/expiring-cache'
import { CompiledFilterCache } from '../lib/filters/filter-cache'
import { base64url } from '../lib/secrets'
import { idSequence } from '../lib/snowflake'
import type { CalledObjects, StreamObjects } from '../streaming/objects'
import { publish } from '../streaming/publish'
import type { PublishedEvent } from '../streaming/publish-facts'
import { tasks } from '../tasks'
import { bodiesOf } from './bodies'
import { httpOf } from './http'
import { imagesOf } from './images'
import { consoleLog, withRequestId } from './log'
import { mailerOf } from './mailer'
import type { Clock, Ctx, FilterCache, Lifetime, MemoryCache, OutboxEntry, Streams } from './ports'
import { filesIn } from './r2-files'
import { throttleOf } from './throttle'
import { translatorOf } from './translator'
import { vaultOf } from './vault'

/** Ports a test replaces: time, randomness, and any others it observes. */
export interface Overrides extends Partial<Omit<Ctx, 'waitUntil' | 'later' | 'outbox'>> {
  /** Objects that hold connections. */
  readonly calls?: CalledObjects
}

/** Objects of connected users, and of shared streams. */
export function streamObjects(env: Env): StreamObjects {
  return {
    connection: (accountId) => env.CONNECTION.get(env.CONNECTION.idFromName(String(accountId))),
    topic: (channel) => env.TOPIC.get(env.TOPIC.idFromName(channel)),
  }
}

const realClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Builds a real Ctx from the bindings: the only file that knows every implementation. */
export function wire(
  env: Env,
  lifetime: Lifetime,
  { calls = streamObjects(env), ...overrides }: Overrides = {},
): Ctx {
  const clock = overrides.clock ?? realClock
  const random = overrides.random ?? { token: () => base64url(crypto.getRandomValues(new Uint8Array(32))) }
  const config = withClock(overrides.config ?? configOf(env), clock)
  const requestId = overrides.requestId ?? crypto.randomUUID()
  const log = withRequestId(requestId, overrides.log ?? consoleLog)
  const nextId = idSequence(() => crypto.getRandomValues(new Uint16Array(1))[0] ?? 0)
  const http = overrides.http ?? httpOf(config)
  const ctx: Ctx = {
    requestId,
    db: openDb(env.DB),
    clock,
    random,
    ids: { next: (at) => nextId(at ?? clock.now()) },
    vault: vaultOf(env),
    bodies: bodiesOf(config, lifetime, clock),
    files: filesIn(env.MEDIA),
    images: imagesOf(env.IMAGES, log),
    mailer: config.mailFrom === null ? null : mailerOf(env.EMAIL, config.mailFrom, log),
    throttle: throttleOf(env, () => clock.now()),
    http,
    translator: translatorOf(config, http, env),
    resolver: {
      accountByHandle: (handle) => accountByHandle(ctx, handle),
      resolveHandles: (handles, timeout) => resolveHandles(ctx, handles, timeout),
      accountByUri: (uri, options) => accountByUri(ctx, uri, options),
      statusByUri: (uri) => statusByUri(ctx, uri),
      relayedStatus: (uri) => statusByUri(ctx, uri, 'relayed'),
      resolveAddress: (address) => resolveAddress(ctx, address),
      refetch: (uri) => refetch(ctx, uri),
      fetchCollection: (owner, uri) => fetchCollection(ctx, owner, uri),
      verifyQuote: (id) => verifyQuote(ctx, id),
      fetchWholeCollection: (url) => fetchWholeCollection(ctx, url),
    },
    backfill: {
      fetchParent: (id, levels) => fetchParent(ctx, id, levels),
      fetchReplies: (id, levels) => fetchReplies(ctx, id, levels),
      backfillAccount: (id) => backfillAccount(ctx, id),
    },
    memory: memoryIn(sharedMemory, () => clock.now()),
    unknownTokens: memoryIn(unknownTokens, () => clock.now()),
    delivery: {
      federate: (event, eventId, scope) =>
        scope === undefined || 'after' in scope
          ? federate(ctx, event, { ...scope, eventId })
          : federateTo(ctx, event, { ...scope, eventId }),
    },
    couriers: {
      enqueue: (host, deliveries, signing) =>
        env.COURIER.get(env.COURIER.idFromName(host)).hand(host, [...deliveries], signing),
      wake: (host) => env.COURIER.get(env.COURIER.idFromName(host)).wake(),
    },
    filters: filterCache,
    streamAudience: { of: (event) => subscribersOfEvent(ctx, event), isReadBeforeWrites },
    streams: streamsOf({
      filters: overrides.filters ?? filterCache,
      begin: (pending) => ctx.afterResponse(() => publish(ctx, calls, pending.splice(0))),
    }),
    outbox: {
      drain: (entries: readonly OutboxEntry[]) =>
        lifetime.waitUntil(Promise.resolve(lifetime.responseSent).then(() => drain(ctx, entries))),
    },
    jobs: { send: async (job, options) => void (await env.JOBS.send(job, options)) },
    tasks: { continue: (task) => continueTask(ctx, tasks, task) },
    deadLetters: { send: async (message) => void (await env.JOBS_DEAD.send(message)) },
    ...overrides,
    config,
    log,
    waitUntil: (work) => lifetime.waitUntil(work),
    afterResponse: (work) => lifetime.waitUntil(Promise.resolve(lifetime.responseSent).then(work)),
  }
  return ctx
}

/** Expires links made for a request by its time. */
function withClock(config: Config, clock: Clock): Config {
  return { ...config, mediaProxy: config.mediaProxy.at(clock.now()) }
}

/** A few megabytes when full. */
const sharedMemory = new ExpiringCache(4_000, 20_000)

/** About a hundred kilobytes when full. */
const unknownTokens = new ExpiringCache(2_000)

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
