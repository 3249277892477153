import { AsyncLocalStorage } from 'node:async_hooks'
import { CourierObject } from '../../src/cloudflare/durable-objects/courier'
import { UsageMeter } from '../../src/cloudflare/usage-meter'
import { noUsage, operationsPerMessage, type UsageCounts, type UsageKind } from '../../src/contract/usage'
import { invocationLimits, statementsKept } from '../../src/ports/usage'
import { ConnectionObject } from '../../src/streaming/connection'
import { TopicObject } from '../../src/streaming/topic'

/**
 * Counts of what the platform limits in each invocation: a request with its late work, a message of the queue, a tick of
 * the clock, a call of an object. On the free plan an invocation has fifty statements of D1, each of a batch counting,
 * fifty requests to other servers, and a thousand calls of services of the platform.
 */
interface Invocation {
  readonly name: string
  readonly counts: ReturnType<typeof noUsage>
}

/** Statements of an invocation, without those that store the uses it counted: tests leave these out. */
const mostStatements = invocationLimits.statements - statementsKept

const current = new AsyncLocalStorage<Invocation>()
const over = new Set<Invocation>()

/** Runs work as an invocation of its own, whatever it is called from. */
export function asInvocation<T>(name: string, run: () => T): T {
  return current.run({ name, counts: noUsage() }, run)
}

/** Kinds that are calls of services of the platform, beside messages of queues. */
const internalCallKinds = [
  'objectCalls',
  'storageWrites',
  'storageReads',
  'imageTransformations',
  'mails',
] as const satisfies readonly UsageKind[]

/** Calls of objects, queues, files, pictures and mail. */
function internalCallsOf(counts: UsageCounts): number {
  const sent = Math.ceil(counts.queueOperations / operationsPerMessage)
  return internalCallKinds.reduce((sum, kind) => sum + counts[kind], sent)
}

/** Invocations since the last call that were over a limit, each with what it used. */
export function takeBreaches(): readonly string[] {
  const found = [...over].map(
    ({ name, counts }) =>
      `${name}: ${counts.statements} statements, ${counts.outgoingRequests} requests, ${internalCallsOf(counts)} calls`,
  )
  over.clear()
  return found
}

let isCounting = false

/** Counts every invocation of this runtime. Once for all test files. */
export function countInvocations(): void {
  if (isCounting) return
  isCounting = true
  const { add } = UsageMeter.prototype
  UsageMeter.prototype.add = function (at, kind, amount) {
    const invocation = current.getStore()
    if (invocation !== undefined) note(invocation, kind, amount)
    return add.call(this, at, kind, amount)
  }
  for (const [name, object] of Object.entries({ CourierObject, ConnectionObject, TopicObject }))
    countCallsOf(name, object.prototype)
}

function note(invocation: Invocation, kind: keyof UsageCounts, amount: number): void {
  const { counts } = invocation
  counts[kind] += amount
  const { statements, outgoingRequests } = counts
  const isWithin =
    statements <= mostStatements &&
    outgoingRequests <= invocationLimits.requests &&
    internalCallsOf(counts) <= invocationLimits.calls
  if (!isWithin) over.add(invocation)
}

/** Methods of the class itself are what others call: the platform, and stubs. Alarms too. */
function countCallsOf(name: string, prototype: object): void {
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (typeof value === 'function' && key !== 'constructor')
      Object.defineProperty(prototype, key, {
        configurable: true,
        writable: true,
        value(this: unknown, ...given: unknown[]) {
          return asInvocation(`${name}.${key}`, () => Reflect.apply(value, this, given))
        },
      })
}
