import { env } from 'cloudflare:workers'
import { UsageMeter } from '../../../src/cloudflare/usage-meter'
import { noUsage } from '../../../src/contract/usage'
import { Unavailable } from '../../../src/errors'
import type { Job } from '../../../src/messages/jobs'
import type { Overrides } from '../../../src/wire'
import { countingDb, type ExecutedStatement } from '../../support/costs'
import { runJob } from '../../support/run-job'
import { clock, context, settleLateWork, useBinding } from '../../support/test-app'
import { type FigureName, type Figures, figureNames, type SlowTrip, type StatementCosts } from './figures'

const nothing: Figures = {
  trips: 0,
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  objectCalls: 0,
  queued: 0,
  bytes: 0,
  largestBatch: 0,
  largestMessage: 0,
}

/** Jobs run after a case, so that one that never ends is seen. */
const maxJobs = 500
/** Statements that read fewer rows need no plan in the table. */
const costlyRows = 100
const explainedAtOnce = 50

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value) ?? '').byteLength
const rowsOf = ({ rowsRead, rowsWritten }: ExecutedStatement) => rowsRead + rowsWritten

/** A measured case, whose costliest statements have no plan yet. */
export interface Measurement {
  readonly figures: Figures
  readonly slowest: SlowTrip
  /** The request that read most rows, of a case that is several. */
  readonly worst: string
  readonly costliest: readonly ExecutedStatement[]
  /** Requests that failed where they should not. */
  readonly failures: readonly string[]
}

/** Meter that knows of no use: beyond what the free plan allows in a day, which is less than all cases cost, deliveries are refused. */
const unlimitedMeter = () => Object.assign(new UsageMeter(), { isDue: () => false, knownOf: () => noUsage() })

/** Counts what requests, jobs and tasks cost at the database, the objects and the queue. */
export class Meter {
  #figures: Figures = nothing
  #executed: ExecutedStatement[] = []
  #slowest: SlowTrip = noTrip
  readonly #jobs: Job[] = []
  readonly #seen = new Map<string, ExecutedStatement>()
  readonly #counted = countingDb(env.DB, (statements, milliseconds) => {
    this.#noteTrip(statements)
    if (milliseconds > this.#slowest.milliseconds)
      this.#slowest = {
        milliseconds,
        text: statements.toSorted((a, b) => rowsOf(b) - rowsOf(a))[0]?.text ?? '',
      }
  })

  /** Counts everything that uses the shared database of tests from now on. */
  start(): void {
    useBinding(this.#counted.db)
  }

  /** Ports that count what they are called with, and do nothing else. */
  readonly overrides: Overrides = {
    couriers: {
      enqueue: async (_host, deliveries) => this.#noteCall(deliveries),
      wake: async () => this.#noteCall(null),
    },
    jobs: {
      send: async (job) => {
        this.#jobs.push(job)
        this.#note('queued', 1)
        this.#noteMessage(job)
      },
    },
    throttle: {
      admits: async () => true,
      spend: async () => null,
      take: async () => ({ limit: 300, remaining: 300, resetAt: clock.now() }),
    },
    calls: {
      connection: () => ({
        handle: async ({ messages }) => {
          this.#noteCall(messages)
          return 'delivered'
        },
      }),
      topic: () => ({
        spread: async (messages) => this.#noteCall(messages),
        // A call sends an object once, however often it occurs.
        distribute: async (orders) => {
          this.#noteCall([...new Set(orders.flatMap(({ messages }) => messages))])
          return []
        },
      }),
    },
    log: { info: () => undefined, error: () => undefined },
    meter: unlimitedMeter(),
  }

  /** Runs one request and everything it queues. `work` returns the bytes it answered, or a failure. */
  async measure(label: string, work: () => Promise<number | string>): Promise<Measurement> {
    this.#figures = nothing
    this.#executed = []
    this.#slowest = noTrip
    const answered = await work()
    const failures = typeof answered === 'string' ? [answered] : []
    if (typeof answered === 'number') this.#note('bytes', answered)
    failures.push(...(await this.#runJobs()))
    return {
      figures: this.#figures,
      slowest: this.#slowest,
      worst: label,
      costliest: this.#costliest(),
      failures,
    }
  }

  async #runJobs(): Promise<string[]> {
    let run = 0
    for (await settleLateWork(); this.#jobs.length > 0; await settleLateWork())
      for (const job of this.#jobs.splice(0)) {
        run += 1
        if (run > maxJobs) return [`more than ${maxJobs} jobs, the last ${job.kind}`]
        try {
          await runJob(context(this.overrides), job)
        } catch (failure) {
          // Servers of the instance do not answer: the queue would retry.
          if (failure instanceof Unavailable) continue
          return [`job ${job.kind}: ${String(failure)}`]
        }
      }
    return []
  }

  #costliest(): readonly ExecutedStatement[] {
    const byText = new Map<string, ExecutedStatement>()
    for (const one of this.#executed)
      if (rowsOf(one) > rowsOf(byText.get(one.text) ?? none)) byText.set(one.text, one)
    const costly = [...byText.values()].filter((one) => rowsOf(one) > costlyRows)
    return costly.toSorted((a, b) => rowsOf(b) - rowsOf(a)).slice(0, 3)
  }

  /** Every different statement so far, with its plan. */
  statements(): Promise<readonly StatementCosts[]> {
    return explain([...this.#seen.values()])
  }

  #note(figure: keyof Figures, amount: number): void {
    this.#figures = { ...this.#figures, [figure]: this.#figures[figure] + amount }
  }

  #noteMessage(message: unknown): void {
    const bytes = bytesOf(message)
    this.#note('bytes', bytes)
    this.#figures = { ...this.#figures, largestMessage: Math.max(this.#figures.largestMessage, bytes) }
  }

  #noteCall(argument: unknown): void {
    this.#note('objectCalls', 1)
    if (argument !== null) this.#noteMessage(argument)
  }

  #noteTrip(statements: readonly ExecutedStatement[]): void {
    const rows = statements.reduce((sum, one) => sum + rowsOf(one), 0)
    const { trips, statements: counted, rowsRead, rowsWritten, largestBatch } = this.#figures
    this.#figures = {
      ...this.#figures,
      trips: trips + 1,
      statements: counted + statements.length,
      rowsRead: statements.reduce((sum, one) => sum + one.rowsRead, rowsRead),
      rowsWritten: statements.reduce((sum, one) => sum + one.rowsWritten, rowsWritten),
      largestBatch: Math.max(largestBatch, rows),
    }
    this.#executed.push(...statements)
    for (const one of statements)
      if (rowsOf(one) >= rowsOf(this.#seen.get(one.text) ?? none)) this.#seen.set(one.text, one)
  }
}

const noTrip: SlowTrip = { milliseconds: 0, text: '' }
const none: ExecutedStatement = { text: '', values: [], rowsRead: -1, rowsWritten: 0 }

const isExplainable = ({ text }: ExecutedStatement) =>
  /^\s*(select|insert|update|delete|with|replace)\b/i.test(text)

/** Statements with their plans, which are asked for at the binding itself, so that they are not counted. */
export async function explain(statements: readonly ExecutedStatement[]): Promise<readonly StatementCosts[]> {
  const plans = new Map<ExecutedStatement, readonly string[]>()
  const explainable = statements.filter(isExplainable)
  for (let from = 0; from < explainable.length; from += explainedAtOnce) {
    const some = explainable.slice(from, from + explainedAtOnce)
    const answers = await env.DB.batch<{ detail: string }>(
      some.map(({ text, values }) => env.DB.prepare(`explain query plan ${text}`).bind(...values)),
    )
    for (const [index, one] of some.entries())
      plans.set(one, answers[index]?.results.map(({ detail }) => detail) ?? [])
  }
  return statements.map((one) => ({ text: one.text, rows: rowsOf(one), plan: plans.get(one) ?? [] }))
}

/** Highest figures of several measurements. */
export function worstOf(measurements: readonly Measurement[]): Measurement {
  const [first, ...others] = measurements
  if (first === undefined)
    return { figures: nothing, slowest: noTrip, worst: '', costliest: [], failures: [] }
  return others.reduce((worst, one) => {
    const figures: Record<FigureName, number> = { ...worst.figures }
    for (const name of figureNames) figures[name] = Math.max(worst.figures[name], one.figures[name])
    const isWorse = one.figures.rowsRead > worst.figures.rowsRead
    return {
      figures,
      slowest: one.slowest.milliseconds > worst.slowest.milliseconds ? one.slowest : worst.slowest,
      worst: isWorse ? one.worst : worst.worst,
      costliest: isWorse ? one.costliest : worst.costliest,
      failures: [...worst.failures, ...one.failures],
    }
  }, first)
}
