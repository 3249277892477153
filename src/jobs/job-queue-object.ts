import { DurableObject } from 'cloudflare:workers'
import type { Job } from '../messages/jobs'
import type { Ctx } from '../ports/ctx'
import { consume, type RunJob } from './consumer'

/** As `max_retries` in wrangler.full.toml: the failure after these ends in the dead letters. */
const mostAttempts = 9
/** Alarm in case this invocation is cut off. */
const safetyMilliseconds = 10 * 60_000

type Row = { readonly n: number; readonly body: string; readonly attempts: number }

/**
 * Queue of the jobs of one kind, for accounts without Cloudflare's queues: kept in the object's own storage, and run by
 * its alarm, each job in an invocation of its own. At least once, as with the others.
 */
export abstract class JobQueueObject extends DurableObject<Env> {
  /** Builds the Ctx of impure ports; the exported class wires it. */
  protected abstract begin(): Ctx
  protected abstract readonly runJob: RunJob

  /** Keeps a job, and runs it after so many seconds. */
  async add(job: Job, delaySeconds = 0): Promise<void> {
    this.#open()
    const dueAt = this.begin().clock.now().getTime() + delaySeconds * 1_000
    this.ctx.storage.sql.exec('insert into jobs (body, due_at) values (?, ?)', JSON.stringify(job), dueAt)
    await this.#schedule()
  }

  /** Runs the job that is due first. */
  override async alarm(): Promise<void> {
    this.#open()
    const ctx = this.begin()
    ctx.usage.add('objectCalls', 1)
    const { sql } = this.ctx.storage
    const [row] = sql
      .exec<Row>(
        'select n, body, attempts from jobs where due_at <= ? order by due_at, n limit 1',
        ctx.clock.now().getTime(),
      )
      .toArray()
    if (row !== undefined) {
      await this.ctx.storage.setAlarm(ctx.clock.now().getTime() + safetyMilliseconds)
      await this.#run(ctx, row)
    }
    await this.#schedule()
  }

  async #run(ctx: Ctx, { n, body, attempts }: Row): Promise<void> {
    const { sql } = this.ctx.storage
    const message: unknown = JSON.parse(body)
    const acknowledge = () => void sql.exec('delete from jobs where n = ?', n)
    let isLost = false
    const retry = (delaySeconds = 0) => {
      isLost = attempts + 1 >= mostAttempts
      const dueAt = ctx.clock.now().getTime() + delaySeconds * 1_000
      sql.exec('update jobs set attempts = attempts + 1, due_at = ? where n = ?', dueAt, n)
    }
    await consume(
      ctx,
      [{ body: message, ack: acknowledge, retry: (options) => retry(options?.delaySeconds) }],
      this.runJob,
    )
    if (!isLost) return
    await ctx.deadLetters.send(message)
    acknowledge()
  }

  #open(): void {
    this.ctx.storage.sql.exec(`create table if not exists jobs (
      n integer primary key,
      body text not null,
      attempts integer not null default 0,
      due_at integer not null
    )`)
  }

  /** Sets the alarm to the next job. Without one, the storage of the object goes. */
  async #schedule(): Promise<void> {
    const { storage } = this.ctx
    const next = storage.sql.exec<{ at: number | null }>('select min(due_at) as at from jobs').one().at
    if (next === null) await storage.deleteAll()
    else await storage.setAlarm(next)
  }
}
