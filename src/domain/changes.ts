import { type SQL, sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { Ctx } from '../context'
import { outbox } from '../db/schema'
import { each } from '../db/sql'
import type { AppError } from '../errors'
import type { DomainEvent, EphemeralEvent } from '../events'

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
  readonly #events = new Map<string, DomainEvent>()
  readonly #news = new Map<string, EphemeralEvent>()

  add(...statements: readonly Statement[]): this {
    this.#statements.push(...statements)
    return this
  }

  /** Makes the whole batch fail with `error` when `condition` does not hold at commit. */
  require(condition: SQL, error: AppError): this {
    this.#guards.push({ condition, error })
    return this
  }

  /** Announces what happened. The same event twice is one event. */
  emit(event: DomainEvent | EphemeralEvent): this {
    const { kind } = event
    if (kind === 'filters.changed') this.#news.set(JSON.stringify(event), event)
    else this.#events.set(JSON.stringify(event), event)
    return this
  }

  get statements(): readonly Statement[] {
    return this.#statements
  }

  get guards() {
    return this.#guards
  }

  get events(): readonly DomainEvent[] {
    return [...this.#events.values()]
  }

  /** What nobody keeps: told to whoever is here once the batch holds. */
  get news(): readonly EphemeralEvent[] {
    return [...this.#news.values()]
  }
}

/**
 * Sends the changes in one trip and, once they hold, hands the events to their effects and the news to the streams.
 *
 * Guards run first. Answers how many rows each added statement changed, in order.
 */
export async function commit(ctx: Ctx, changes: Changes): Promise<readonly number[]> {
  const entries = changes.events.map((event) => ({ id: ctx.ids.next(), event }))
  const batch = [
    ...changes.guards.map((guard, index) => ctx.db.run(guardSql(guard.condition, index))),
    ...changes.statements,
    ...(entries.length > 0 ? [ctx.db.run(storeEvents(ctx, entries))] : []),
  ]
  const [head, ...tail] = batch
  if (head === undefined) return []
  const results = await ctx.db.batch([head, ...tail]).catch((failure: unknown) => {
    throw failedGuard(changes, failure) ?? failure
  })
  if (entries.length > 0) ctx.outbox.drain(entries)
  for (const event of changes.news) ctx.streams.publish(event)
  return results
    .slice(changes.guards.length, changes.guards.length + changes.statements.length)
    .map(changedRows)
}

// D1 has no RAISE outside triggers; a bad JSON path fails the batch and carries our number into the message.
function guardSql(condition: SQL, index: number): SQL {
  return sql`select case when ${condition} then 1 else json_extract('{}', ${`guard ${index}.`}) end`
}

function failedGuard(changes: Changes, failure: unknown): AppError | null {
  const found = /guard (\d+)\./.exec(messagesOf(failure))
  return found === null ? null : (changes.guards[Number(found[1])]?.error ?? null)
}

/** Drizzle wraps D1's error; the reason is in the cause. */
function messagesOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  // The query text names every guard, so only causes count where there are any.
  return failure.cause === undefined ? failure.message : messagesOf(failure.cause)
}

function storeEvents(ctx: Ctx, entries: readonly { readonly id: number; readonly event: DomainEvent }[]) {
  const notBefore = ctx.clock.now().getTime() + sweepAfterMilliseconds
  return sql`insert into ${outbox} (id, event, not_before)
    select item.value ->> 'id', item.value -> 'event', ${notBefore} from ${each(entries)}`
}

function changedRows(result: unknown): number {
  if (typeof result !== 'object' || result === null || !('meta' in result)) return 0
  const { meta } = result
  if (typeof meta !== 'object' || meta === null || !('changes' in meta)) return 0
  return typeof meta.changes === 'number' ? meta.changes : 0
}
