import { type SQL, sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import { failedGuard, guarded } from '../../db/guards'
import { all, combineQueries, execute, map, rawResults } from '../../db/query'
import { outbox } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import type { AppError } from '../../errors'
import type { DomainEvent } from '../../messages/events'
import type { Job } from '../../messages/jobs'
import type { LiveEvent } from '../../messages/live'
import type { OutboxMessage } from '../../messages/stored'
import type { Ctx } from '../../platform/ports'

type Statement = RunnableQuery<unknown, 'sqlite'>

/** How long an event waits before the sweep takes it for lost. */
const sweepAfterMilliseconds = 60_000

/**
 * The writes of one command: statements, guards and events, committed as one atomic batch.
 *
 * A command gathers, decides, then commits; it never awaits a write of its own.
 */
export class Changes {
  readonly #statements: Statement[] = []
  readonly #guards: { readonly condition: SQL; readonly error: AppError }[] = []
  readonly #messages = new Map<string, OutboxMessage>()
  readonly #conditional: { readonly event: OutboxMessage; readonly condition: SQL }[] = []
  readonly #news = new Map<string, LiveEvent>()

  add(...statements: readonly Statement[]): this {
    this.#statements.push(...statements)
    return this
  }

  /** Makes the whole batch fail with `error` when `condition` does not hold at commit. */
  require(condition: SQL, error: AppError): this {
    this.#guards.push({ condition, error })
    return this
  }

  /** Adds a fact, whose effects follow the commit. The same fact twice is one. */
  emit(event: DomainEvent): this {
    return this.#store(event)
  }

  /** Adds a command, which is queued after the commit. The same command twice is one. */
  enqueue(job: Job): this {
    return this.#store(job)
  }

  /** Adds a fact where `condition` holds once everything else is written. */
  emitWhere(condition: SQL, event: DomainEvent): this {
    this.#conditional.push({ event, condition })
    return this
  }

  /** Adds a command where `condition` holds once everything else is written. */
  enqueueWhere(condition: SQL, job: Job): this {
    this.#conditional.push({ event: job, condition })
    return this
  }

  #store(message: OutboxMessage): this {
    this.#messages.set(JSON.stringify(message), message)
    return this
  }

  /** Tells who is here now, once the batch holds. The same news twice are told once. */
  publish(news: LiveEvent): this {
    this.#news.set(JSON.stringify(news), news)
    return this
  }

  get statements(): readonly Statement[] {
    return this.#statements
  }

  get guards() {
    return this.#guards
  }

  get messages(): readonly OutboxMessage[] {
    return [...this.#messages.values()]
  }

  get conditionalEvents() {
    return this.#conditional
  }

  get liveEvents(): readonly LiveEvent[] {
    return [...this.#news.values()]
  }
}

/**
 * Sends the changes in one trip and, once they hold, hands the events to their effects and the news to those who
 * are here to hear them, whom the same trip finds.
 *
 * Guards run first. Answers how many rows each added statement changed, in order.
 */
export async function commit(ctx: Ctx, changes: Changes): Promise<readonly number[]> {
  const entries = changes.messages.map((event) => ({ id: ctx.ids.next(), event }))
  const conditional = changes.conditionalEvents.map((one) => ({ ...one, id: ctx.ids.next() }))
  const batch = combineQueries({
    guards: rawResults(
      changes.guards.map((one, index) => ctx.db.run(sql`select ${guarded(one.condition, String(index))}`)),
    ),
    early: findAudience(
      ctx,
      changes.liveEvents.filter((one) => ctx.streamAudience.isReadBeforeWrites(one)),
    ),
    written: rawResults(changes.statements),
    events: rawResults(entries.length > 0 ? [ctx.db.run(storeEvents(ctx, entries))] : []),
    conditional: rawResults(conditional.map((one) => ctx.db.run(storeEventWhere(ctx, one)))),
    late: findAudience(
      ctx,
      changes.liveEvents.filter((one) => !ctx.streamAudience.isReadBeforeWrites(one)),
    ),
  })
  const done = await execute(ctx.db, batch).catch((failure: unknown) => {
    throw changes.guards[Number(failedGuard(failure) ?? Number.NaN)]?.error ?? failure
  })
  const wanted = conditional.filter((_, index) => changedRows(done.conditional[index]) > 0)
  if (entries.length + wanted.length > 0) ctx.outbox.drain([...entries, ...wanted])
  for (const { news, audience } of [...done.early, ...done.late]) ctx.streams.publish(news, audience)
  return done.written.map(changedRows)
}

function findAudience(ctx: Ctx, news: readonly LiveEvent[]) {
  return all(news.map((one) => map(ctx.streamAudience.of(one), (audience) => ({ news: one, audience }))))
}

function storeEvents(ctx: Ctx, entries: readonly { readonly id: number; readonly event: OutboxMessage }[]) {
  const notBefore = ctx.clock.now().getTime() + sweepAfterMilliseconds
  return sql`insert into ${outbox} (id, event, not_before)
    select item.value ->> 'id', item.value -> 'event', ${notBefore} from ${jsonRows(entries)}`
}

/** No `where` but the condition: the row is there exactly when it held. */
function storeEventWhere(
  ctx: Ctx,
  { id, event, condition }: { readonly id: number; readonly event: OutboxMessage; readonly condition: SQL },
) {
  const notBefore = ctx.clock.now().getTime() + sweepAfterMilliseconds
  return sql`insert into ${outbox} (id, event, not_before)
    select ${id}, ${JSON.stringify(event)}, ${notBefore} where ${condition}`
}

function changedRows(result: unknown): number {
  if (typeof result !== 'object' || result === null || !('meta' in result)) return 0
  const { meta } = result
  if (typeof meta !== 'object' || meta === null || !('changes' in meta)) return 0
  return typeof meta.changes === 'number' ? meta.changes : 0
}
