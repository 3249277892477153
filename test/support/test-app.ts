import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { buildApp } from '../../src/app'
import { configOf } from '../../src/cloudflare/config-cache'
import { UsageMeter } from '../../src/cloudflare/usage-meter'
import { vaultOf } from '../../src/cloudflare/vault'
import { CompiledFilterCache } from '../../src/domain/policy/filters/compiled'
import { blockedNetworksKey } from '../../src/domain/sign-up-blocks/ip-blocks'
import { ExpiringCache } from '../../src/lib/expiring-cache'
import { ResponseCache } from '../../src/lib/response-cache'
import type { Job } from '../../src/messages/jobs'
import type { Ctx } from '../../src/ports/ctx'
import type { Discovery } from '../../src/ports/federation'
import type { Throttle, Vault } from '../../src/ports/services'
import type { CalledObjects } from '../../src/streaming/messages'
import { type CachedResponses, memoryIn, type Overrides, ownResponses, wire } from '../../src/wire'
import { type Costs, countingDb } from './costs'
import { localKeyPair } from './fediverse/keys'
import { asInvocation } from './invocations'
import { withoutNotice } from './notice-writes'
import { runJob } from './run-job'

const start = '2026-11-01T12:00:00.000Z'

/** A clock that tests move by hand. Starts at a fixed instant and never runs; who would wait goes on. */
export class TestClock {
  #at = new Date(start)

  now(): Date {
    return new Date(this.#at)
  }

  advance(milliseconds: number): void {
    this.#at = new Date(this.#at.getTime() + milliseconds)
  }

  set(at: Date): void {
    this.#at = at
  }

  /** Over at once, and no time has passed. */
  sleep(): Promise<void> {
    return Promise.resolve()
  }
}

export const clock = new TestClock()

const sequences = new Map<number, number>()

/** Ids in strict order even within one instant of the test clock, and none twice. */
function nextId(at: Date = clock.now()): number {
  const millisecond = at.getTime() - Date.UTC(2007, 0, 1)
  const sequence = sequences.get(millisecond) ?? 0
  sequences.set(millisecond, sequence + 1)
  return millisecond * 4096 + sequence
}

const late: Promise<unknown>[] = []

/** Waits for everything handed to `waitUntil`, and for what that handed over in turn. */
export async function settleLateWork(): Promise<void> {
  while (late.length > 0) await Promise.all(late.splice(0))
}

const lifetime = {
  waitUntil: (work: Promise<unknown>) => void late.push(work),
  passThroughOnException: () => undefined,
  props: {},
}

/**
 * The counters of rate limits as tests use them.
 *
 * The flood gate counts per minute of real time; tests run faster than people, but for those about the gate. The other
 * counters belong to the test file: the reset between files leaves out objects that were evicted after ten idle
 * seconds, and the member or address of a later file with the same id would go on from what they counted.
 */
function unthrottled(ctx: Ctx, { throttle }: Overrides): Ctx {
  if (throttle !== undefined) return ctx
  const { take, spend } = ctx.throttle
  const ownTake: Throttle['take'] = (family, subject, times) => take(family, inThisFile(subject), times)
  const ownSpend: Throttle['spend'] = (family, subject, amount) => spend(family, inThisFile(subject), amount)
  return { ...ctx, throttle: { take: ownTake, spend: ownSpend, admits: async () => true } }
}

function inThisFile(subject: string): string {
  return `${subject} in ${expect.getState().testPath ?? ''}`
}

const hashes = new Map<string, Promise<string>>()
const outcomes = new Map<string, Promise<boolean>>()
const pairNames = ['rsa-first', 'rsa-second', 'rsa-third'] as const
let pairsTaken = 0

/**
 * The real vault, which derives no key twice in a run: most tests sign up and sign in with one password, and deriving
 * takes half a second. So accounts with the same password have one hash. Key pairs are those of tests, three by turns:
 * making one takes a tenth of a second. `vault.test.ts` asks the object itself.
 */
function rememberingVault(): Vault {
  const vault = vaultOf(env, { add: () => undefined })
  const hashPassword: Vault['hashPassword'] = (password) => remembered(hashes, password, vault.hashPassword)
  const verifyPassword: Vault['verifyPassword'] = (password, hash) =>
    remembered(outcomes, `${hash} ${password}`, () => vault.verifyPassword(password, hash))
  const generateKeyPair: Vault['generateKeyPair'] = (owner) => {
    pairsTaken += 1
    return localKeyPair(config.secrets, owner, pairNames[pairsTaken % pairNames.length])
  }
  return { ...vault, hashPassword, verifyPassword, generateKeyPair }
}

function remembered<T>(known: Map<string, Promise<T>>, key: string, make: (key: string) => Promise<T>) {
  const value = known.get(key) ?? make(key)
  known.set(key, value)
  return value
}

/** Ports of the test app. Queued jobs run only where a test runs them (support/fake-queue). */
let ports: Overrides = initialPorts()

function initialPorts(): Overrides {
  return {
    clock,
    ids: { next: nextId },
    jobs: { send: continueAtOnce },
    discovery: { find: findHandle },
    vault: rememberingVault(),
    memory: primedMemory(),
    deadTokens: memoryIn(new ExpiringCache(2_000), () => clock.now()),
    filters: new CompiledFilterCache(20_000),
    cachedResponses: emptyResponses(),
    meter: quietMeter(),
  }
}

/** Counts and stores nothing by itself: what a request costs does not depend on those before it. */
function quietMeter(): UsageMeter {
  return Object.assign(new UsageMeter(), { isDue: () => false })
}

/** Jobs that go on with a request which was too much for one invocation. */
const continuing: ReadonlySet<Job['kind']> = new Set([
  'continue-strike',
  'purge-account-statuses',
  'remove-archive-import',
  'run-effects',
])

/** Runs in invocations of their own, as late work, what continues a request; other jobs run where a test runs them. */
async function continueAtOnce(job: Job): Promise<void> {
  if (continuing.has(job.kind)) late.push(runJob(context(), job))
}

/** Looks a handle up by the clock of tests, not in the object that does it otherwise. */
function findHandle(handle: Parameters<Discovery['find']>[0]) {
  return asInvocation('lookup of a handle', () => context().resolver.accountByHandle(handle))
}

/** No cached response yet. Writes of tests, objects and requests outdate them alike: all are in one isolate. */
function emptyResponses(): CachedResponses {
  return { cache: new ResponseCache(), writes: ownResponses.writes, uses: new ExpiringCache(0, 1_000) }
}

/** No network is blocked, as an isolate knows it from its first request on: reading that counts for no single request. */
function primedMemory() {
  const memory = memoryIn(new ExpiringCache(4_000, 20_000), () => clock.now())
  memory.set(blockedNetworksKey, '', 10 * 365 * 86_400)
  return memory
}

/**
 * Begins a test file: the clock stands at its start again, and nothing that files before it left in memory is there.
 *
 * All files share this module, because they share one runtime. Databases and objects are reset before each, so ids
 * may begin again; counting on, they would pass the 4,096 of one millisecond and leave the instant they stand for.
 */
export function beginFile(): void {
  sequences.clear()
  clock.set(new Date(start))
  ports = initialPorts()
}

let sharedBinding: D1Database | null = null

/** From now on this stands for the database that tests share; null: itself again. */
export function useBinding(binding: D1Database | null): void {
  sharedBinding = binding
}

const config = configOf(env)

/**
 * All that stands in for a port. The configuration is parsed once, though each request has an env of its own; the room
 * for bodies goes by `limits`, and a test sends the next request before the body of the last is released.
 */
function overriddenPorts(overrides: Overrides, binding: D1Database): Overrides {
  const standing = { config: { ...config, limits: { ...config.limits } }, ...ports }
  // A server that is configured in another way, or has another database, is another one.
  const isOther = Object.keys(overrides).length > 0 || binding !== env.DB
  return { ...standing, ...(isOther ? { cachedResponses: emptyResponses() } : {}), ...overrides }
}

/** From now on these stand for the objects that hold connections; null: the real ones again. */
export function useStreamTargets(calls: CalledObjects | null): void {
  const { calls: _earlier, ...rest } = ports
  ports = calls === null ? rest : { ...rest, calls }
}

/**
 * A context on the real bindings with the test clock: for commands and queries called directly. `binding` is another
 * database than the one that tests share.
 */
export function context(overrides: Overrides = {}, binding: D1Database = sharedBinding ?? env.DB): Ctx {
  const own = { ...env, DB: withoutNotice(binding) }
  return unthrottled(wire(own, lifetime, overriddenPorts(overrides, binding)), overrides)
}

export interface Fetched {
  readonly response: Response
  readonly costs: Costs
}

interface Given {
  readonly overrides: Overrides
  readonly binding: D1Database
}

const givenTo = new WeakMap<Env, Given>()

/** Built once, as where it lives: it takes longer to build than to answer. What a request is given goes by its env. */
const app = buildApp((own, given) => {
  const { overrides, binding } = givenTo.get(own) ?? { overrides: {}, binding: own.DB }
  const uploads = { answer: (_: unknown, request: Request) => answerInObject(own, request) }
  return unthrottled(wire(own, given, { uploads, ...overriddenPorts(overrides, binding) }), overrides)
})

/** As the object for uploads does (`src/index.ts`), with the ports of the request. */
async function answerInObject(own: Env, request: Request): Promise<Response> {
  const { overrides, binding } = givenTo.get(own) ?? { overrides: {}, binding: own.DB }
  const inObject = { ...own }
  givenTo.set(inObject, { overrides: { ...overrides, uploads: null }, binding })
  return app.fetch(request, inObject, lifetime)
}

/** Every route of the app, with the method and the pattern of its path. */
export const routes: readonly { readonly method: string; readonly path: string }[] = app.routes

/**
 * Sends one request through the whole app, with the costs at the database counted; late work is finished. `binding` is
 * another database than the one that tests share.
 */
export async function fetchApp(
  request: Request,
  overrides: Overrides = {},
  binding: D1Database = sharedBinding ?? env.DB,
): Promise<Fetched> {
  const counted = countingDb(withoutNotice(binding))
  const own = { ...env, DB: counted.db }
  givenTo.set(own, { overrides, binding })
  const { pathname } = new URL(request.url)
  const response = await asInvocation(`${request.method} ${pathname}`, () =>
    app.fetch(request, own, lifetime),
  )
  const costs = counted.read()
  await settleLateWork()
  return { response, costs }
}
