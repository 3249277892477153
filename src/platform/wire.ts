import { fetchPosts } from '../activitypub/backfill'
import { wholeCollection } from '../activitypub/followers-sync'
import { knowCollection } from '../activitypub/know-collection'
import { tellServers } from '../activitypub/outbox/tell'
import { proveQuote } from '../activitypub/prove-quote'
import { recheck } from '../activitypub/recheck'
import { accountByHandle, accountByUri, knowHandles } from '../activitypub/resolve-accounts'
import { findAtAddress } from '../activitypub/resolve-address'
import { statusByUri } from '../activitypub/resolve-statuses'
import { fetchParent, fetchReplies } from '../activitypub/threads'
import type { Config } from '../config'
import { configOf } from '../configured'
import { openDb } from '../db/db'
import { audienceOf, isHeardBefore } from '../domain/streams/find-audience'
import { drain } from '../jobs/outbox'
import { HeldFilters } from '../lib/filters/held'
import { base64url } from '../lib/secrets'
import { ShortMemory } from '../lib/short-memory'
import { idSequence } from '../lib/snowflake'
import type { StreamObjects } from '../streaming/objects'
import { type Calls, publish } from '../streaming/publish'
import type { Told } from '../streaming/publish-facts'
import { bodiesOf } from './bodies'
import { httpOf } from './http'
import { imagesOf } from './images'
import { consoleLog, naming } from './log'
import { mailerOf } from './mailer'
import type { Clock, Ctx, FilterMemory, Lifetime, Memory, OutboxEntry, Streams } from './ports'
import { filesIn } from './r2-files'
import { throttleOf } from './throttle'
import { translatorOf } from './translator'
import { vaultOf } from './vault'

/** Ports a test replaces: time, randomness, and whatever else it wants to watch. */
export interface Overrides extends Partial<Omit<Ctx, 'waitUntil' | 'later' | 'outbox'>> {
  /** The objects that hold connections. */
  readonly calls?: Calls
}

/** The objects of those who are here, and of the streams they share. */
export function streamObjects(env: Env): StreamObjects {
  return {
    connection: (accountId) => env.CONNECTION.get(env.CONNECTION.idFromName(String(accountId))),
    topic: (channel) => env.TOPIC.get(env.TOPIC.idFromName(channel)),
  }
}

const realClock: Clock = {
  now: () => new Date(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Builds a real Ctx from the bindings: the only file that knows every implementation. */
export function wire(
  env: Env,
  lifetime: Lifetime,
  { calls = streamObjects(env), ...overrides }: Overrides = {},
): Ctx {
  const clock = overrides.clock ?? realClock
  const random = overrides.random ?? { token: () => base64url(crypto.getRandomValues(new Uint8Array(32))) }
  const config = dated(overrides.config ?? configOf(env), clock)
  const requestId = overrides.requestId ?? crypto.randomUUID()
  const log = naming(requestId, overrides.log ?? consoleLog)
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
      knowHandles: (handles, patience) => knowHandles(ctx, handles, patience),
      accountByUri: (uri, options) => accountByUri(ctx, uri, options),
      statusByUri: (uri) => statusByUri(ctx, uri),
      findAtAddress: (address) => findAtAddress(ctx, address),
      recheck: (uri) => recheck(ctx, uri),
      knowCollection: (owner, uri) => knowCollection(ctx, owner, uri),
      proveQuote: (id) => proveQuote(ctx, id),
      wholeCollection: (url) => wholeCollection(ctx, url),
    },
    history: {
      parentOf: (id, levels) => fetchParent(ctx, id, levels),
      repliesTo: (id, levels) => fetchReplies(ctx, id, levels),
      postsOf: (id) => fetchPosts(ctx, id),
    },
    memory: memoryIn(remembered, () => clock.now()),
    unknownTokens: memoryIn(unknownTokens, () => clock.now()),
    delivery: { tell: (event, eventId, after) => tellServers(ctx, event, { eventId, after }) },
    couriers: {
      hand: (host, parcels) => env.COURIER.get(env.COURIER.idFromName(host)).hand(host, [...parcels]),
      wake: (host) => env.COURIER.get(env.COURIER.idFromName(host)).wake(),
    },
    filters: heldFilters,
    streamAudience: { of: (news) => audienceOf(ctx, news), isReadBeforeWrites: isHeardBefore },
    streams: streamsOf({
      filters: overrides.filters ?? heldFilters,
      begin: (told) => ctx.later(() => publish(ctx, calls, told.splice(0))),
    }),
    outbox: {
      drain: (entries: readonly OutboxEntry[]) =>
        lifetime.waitUntil(Promise.resolve(lifetime.answered).then(() => drain(ctx, entries))),
    },
    jobs: { send: async (job, options) => void (await env.JOBS.send(job, options)) },
    deadLetters: { send: async (message) => void (await env.JOBS_DEAD.send(message)) },
    ...overrides,
    config,
    log,
    waitUntil: (work) => lifetime.waitUntil(work),
    later: (work) => lifetime.waitUntil(Promise.resolve(lifetime.answered).then(work)),
  }
  return ctx
}

/** Links made for a request expire by its time. */
function dated(config: Config, clock: Clock): Config {
  return { ...config, mediaProxy: config.mediaProxy.at(clock.now()) }
}

/** A few megabytes when full. */
const remembered = new ShortMemory(4_000, 20_000)

/** Some hundred kilobytes when full. */
const unknownTokens = new ShortMemory(2_000)

/** Some megabytes when full. */
const heldFilters = new HeldFilters(20_000)

/**
 * News of one request are told together, once it is answered. What this isolate holds of somebody's filters is of no
 * use as soon as they changed.
 */
function streamsOf({
  filters,
  begin,
}: {
  readonly filters: FilterMemory
  readonly begin: (told: Told[]) => void
}): Streams {
  const told: Told[] = []
  return {
    publish: (news, audience) => {
      if (news.kind === 'filters.changed') filters.forget(news.accountId)
      if (audience.length === 0) return
      told.push({ news, audience })
      if (told.length === 1) begin(told)
    },
  }
}

/** `memory` read by the clock of one request, message or tick. */
export function memoryIn(memory: ShortMemory, now: () => Date): Memory {
  return {
    recall: (key) => memory.recall(key, now()),
    remember: (key, value, seconds) => memory.remember(key, { value, seconds }, now()),
    count: (key, seconds) => memory.count(key, seconds, now()),
    counted: (key) => memory.counted(key, now()),
    forget: (key) => memory.forget(key),
  }
}
