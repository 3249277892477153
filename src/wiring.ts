import { resolve4, resolve6, resolveMx } from 'node:dns/promises'
import { fetchPosts } from './activitypub/backfill'
import { wholeCollection } from './activitypub/followers-sync'
import { knowCollection } from './activitypub/know-collection'
import { tellServers } from './activitypub/outbox/tell'
import { proveQuote } from './activitypub/prove-quote'
import { recheck } from './activitypub/recheck'
import { accountByHandle, accountByUri, knowHandles } from './activitypub/resolve-accounts'
import { findAtAddress } from './activitypub/resolve-address'
import { statusByUri } from './activitypub/resolve-statuses'
import { fetchParent, fetchReplies } from './activitypub/threads'
import { bodiesOf } from './bodies'
import type { Config } from './config'
import { configOf } from './configured'
import type {
  Clock,
  Ctx,
  Files,
  FilterMemory,
  Http,
  Images,
  Lifetime,
  Log,
  Mailer,
  Memory,
  OutboxEntry,
  Streams,
  Throttle,
  Translator,
  Vault,
} from './context'
import { openDb } from './db/db'
import { Invalid, RateLimited, Unavailable } from './errors'
import { drain } from './jobs/outbox'
import { HeldFilters } from './lib/filters/held'
import { mailFailure, sendable } from './lib/mail/mail'
import { guardedHttp } from './lib/outgoing/http'
import { base64url } from './lib/secrets'
import { ShortMemory } from './lib/short-memory'
import { idSequence } from './lib/snowflake'
import { deepl } from './lib/translation/deepl'
import { libreTranslate } from './lib/translation/libre'
import { type AiBinding, workersAi } from './lib/translation/workers-ai'
import { softwareVersion } from './lib/version'
import { consoleLog, naming } from './log'
import { rateWindows } from './rates'
import type { StreamObjects } from './streaming/objects'
import { type Calls, publish } from './streaming/publish'
import type { Told } from './streaming/publish-facts'

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
    streams: streamsOf({
      filters: overrides.filters ?? heldFilters,
      begin: (told) => ctx.later(() => publish(ctx, calls, told.splice(0))),
    }),
    outbox: {
      drain: (entries: readonly OutboxEntry[]) =>
        lifetime.waitUntil(Promise.resolve(lifetime.answered).then(() => drain(ctx, entries))),
    },
    jobs: { send: async (job, options) => void (await env.JOBS.send(job, options)) },
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

/** Passwords and keys are worked on by a few objects, so that one sign-in does not wait for all others. */
function vaultOf(env: Env): Vault {
  const pool = 4
  const pick = () => {
    const place = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % pool
    return env.VAULT.get(env.VAULT.idFromName(`vault-${place}`))
  }
  return {
    hashPassword: (password) => pick().hashPassword(password),
    verifyPassword: (password, hash) => pick().verifyPassword(password, hash),
    generateKeyPair: () => pick().generateKeyPair(),
    generatePushKeyPair: () => pick().generatePushKeyPair(),
    sign: (privateKey, bytes) => pick().sign(privateKey, bytes),
    signPush: (privateKey, bytes) => pick().signPush(privateKey, bytes),
  }
}

/** Called on the global each time: a test may have put its own servers there. */
function httpOf({ origin, ownDomains, federation }: Config): Http {
  return guardedHttp((url, init) => fetch(url, init), {
    userAgent: `Fieldfare/${softwareVersion} (+${origin}/)`,
    testHosts: federation.testHosts,
    ownHosts: ownDomains,
  })
}

function translatorOf({ translation }: Config, http: Http, env: Env): Translator | null {
  const send: Http['send'] = (request) => http.send(request)
  switch (translation?.kind) {
    case 'deepl':
      return deepl(send, translation)
    case 'libretranslate':
      return libreTranslate(send, translation)
    case 'workers-ai': {
      const ai: unknown = 'AI' in env ? env.AI : undefined
      return isAiBinding(ai) ? workersAi(ai, translation.model) : null
    }
    default:
      return null
  }
}

/** Only who names a model binds it, so that everybody else needs no account to try the server. */
function isAiBinding(binding: unknown): binding is AiBinding {
  return typeof binding === 'object' && binding !== null && 'run' in binding
}

function filesIn(bucket: R2Bucket): Files {
  const facts = (object: R2Object) => ({
    sizeBytes: object.size,
    mime: object.httpMetadata?.contentType ?? 'application/octet-stream',
    etag: object.httpEtag,
    uploadedAt: object.uploaded,
  })
  return {
    put: async (key, body, mime) =>
      void (await bucket.put(key, body, {
        // Kept with the file for buckets that are served without this Worker. A key never gets other bytes.
        httpMetadata: { contentType: mime, cacheControl: 'public, max-age=31536000, immutable' },
      })),
    get: async (key, range) => {
      const object = await bucket.get(key, range === undefined ? {} : { range })
      return object === null ? null : { ...facts(object), body: object.body }
    },
    head: async (key) => {
      const object = await bucket.head(key)
      return object === null ? null : facts(object)
    },
    delete: (keys) => bucket.delete([...keys]),
  }
}

function imagesOf(binding: ImagesBinding, log: Log): Images {
  return {
    async render(source, order) {
      const { width, height, fit, mime, moving = false } = order
      try {
        const stream = new Blob([source]).stream()
        const made = await binding
          .input(stream)
          .transform({ width, height, fit })
          .output({ format: mime, anim: moving })
        const bytes = new Uint8Array(await made.response().arrayBuffer())
        return { bytes, mime: made.contentType() }
      } catch (cause) {
        // What the binding cannot read is the uploader's mistake, unless it says that the fault lies elsewhere.
        if (isImagesOutage(cause)) throw new Unavailable('Pictures cannot be processed now', cause)
        log.info('A picture could not be read', { cause })
        throw new Invalid('Validation failed: File could not be read as a picture')
      }
    },
  }
}

/** Quota used up (9422, 9423) or not enabled (9432). The code of inner failures (9523) also stands for bad pictures. */
const imagesOutages: ReadonlySet<unknown> = new Set([9422, 9423, 9432])

function isImagesOutage(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && imagesOutages.has(cause.code)
}

function mailerOf(binding: SendEmail, from: string, log: Log): Mailer {
  return {
    send: async (mail) => {
      try {
        await binding.send({ from, ...sendable(mail) })
      } catch (cause) {
        throw mailFailure(cause, mail)
      }
    },
    reaches: (domain) => receivesMail(domain, log),
  }
}

const lookUpMilliseconds = 3_000

/** Looks for a mail server, else for any address: both are allowed to receive mail. */
async function receivesMail(domain: string, log: Log): Promise<boolean> {
  const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), lookUpMilliseconds))
  const found = async () =>
    (await exists(() => resolveMx(domain), log)) ||
    (await exists(() => resolve4(domain), log)) ||
    (await exists(() => resolve6(domain), log))
  return Promise.race([found(), late])
}

async function exists(lookUp: () => Promise<readonly unknown[]>, log: Log): Promise<boolean> {
  try {
    return (await lookUp()).length > 0
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ENOTFOUND' || code === 'ENODATA') return false
    // A resolver in trouble must not keep people out.
    log.info('A mail domain could not be looked up', { cause })
    return true
  }
}

function endOfWindow(at: Date, periodSeconds: number): Date {
  const period = periodSeconds * 1000
  return new Date((Math.floor(at.getTime() / period) + 1) * period)
}

function throttleOf(env: Env, now: () => Date): Throttle {
  return {
    async take(family, subject, times = 1) {
      const { limit, periodSeconds } = rateWindows[family]
      const window = { limit: limit * times, periodSeconds }
      const at = now()
      const counter = env.THROTTLE.get(env.THROTTLE.idFromName(subject))
      const used = await counter.take(family, window, at.getTime())
      const remaining = Math.max(0, window.limit - used)
      const allowance = { limit: window.limit, remaining, resetAt: endOfWindow(at, periodSeconds) }
      if (used > window.limit) throw new RateLimited(allowance)
      return allowance
    },
    async spend(family, subject, amount) {
      const window = rateWindows[family]
      const at = now()
      const counter = env.THROTTLE.get(env.THROTTLE.idFromName(`${family} ${subject}`))
      const used = await counter.take(family, window, at.getTime(), amount)
      return used > window.limit ? endOfWindow(at, window.periodSeconds) : null
    },
    admits: async (gate, subject) => {
      const binding = gate === 'network' ? env.FLOOD_NETWORK : env.FLOOD
      return (await binding.limit({ key: subject })).success
    },
  }
}
