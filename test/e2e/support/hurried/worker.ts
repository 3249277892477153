import worker from '../../../../src/index'

export {
  Connection,
  Courier,
  Installation,
  JobQueue,
  Throttle,
  Topic,
  Uploads,
  Vault,
} from '../../../../src/index'

/** Report of this Worker to the test about a retry or a dead letter. */
export type Report =
  | { readonly kind: 'retry'; readonly body: unknown; readonly delaySeconds: number }
  | { readonly kind: 'dead'; readonly body: unknown }

/** Variables of this Worker alone. */
function settingsOf(env: Env) {
  const { REPORTS_TO, CLOCK_AHEAD_SECONDS }: Readonly<Record<string, unknown>> = Object(env)
  return { reportsTo: String(REPORTS_TO), aheadSeconds: Number(CLOCK_AHEAD_SECONDS ?? 0) }
}

const realNow = Date.now
let aheadMilliseconds = 0

/** The clock of the product: that of the machine, so far ahead as the test says. */
globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

function now(): number {
  return realNow() + aheadMilliseconds
}

const realTimeout = globalThis.setTimeout
/** The ten seconds of an unanswered request are two. */
const timesFaster = 5
Reflect.set(
  globalThis,
  'setTimeout',
  (work: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) =>
    realTimeout(work, milliseconds / timesFaster, ...args),
)

async function report(env: Env, told: Report): Promise<void> {
  const { reportsTo } = settingsOf(env)
  const answer = await fetch(reportsTo, { method: 'POST', body: JSON.stringify(told) })
  await answer.arrayBuffer()
}

function prepare(env: Env): void {
  aheadMilliseconds = settingsOf(env).aheadSeconds * 1000
}

/** A message whose retries come back at once: their delay is reported instead of waited for. */
function hurried(message: Message, reports: Report[]): Message {
  return new Proxy(message, {
    get(target, name) {
      if (name === 'retry')
        return (options?: QueueRetryOptions) => {
          reports.push({ kind: 'retry', body: target.body, delaySeconds: options?.delaySeconds ?? 0 })
          target.retry({ delaySeconds: 0 })
        }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * The product with a platform in a hurry: delays of retries, which are hours, pass at once, and messages in the
 * dead-letter queue are reported to the test as well.
 */
export default {
  fetch(request, env, lifetime) {
    prepare(env)
    return worker.fetch(request, env, lifetime)
  },
  scheduled(tick, env, lifetime) {
    prepare(env)
    return worker.scheduled(tick, env, lifetime)
  },
  async queue(batch, env, lifetime) {
    prepare(env)
    if (batch.queue.endsWith('-dead')) {
      for (const { body } of batch.messages) await report(env, { kind: 'dead', body })
      return worker.queue(batch, env, lifetime)
    }
    const reports: Report[] = []
    const messages = batch.messages.map((message) => hurried(message, reports))
    const { queue, metadata } = batch
    await worker.queue(
      {
        queue,
        metadata,
        messages,
        ackAll: () => batch.ackAll(),
        retryAll: (options) => batch.retryAll(options),
      },
      env,
      lifetime,
    )
    for (const one of reports) await report(env, one)
  },
} satisfies ExportedHandler<Env>
