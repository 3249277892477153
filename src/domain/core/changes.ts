import { type SQL, sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import { failedGuard, guarded } from '../../db/guards'
import { preparedWrite } from '../../db/prepared'
import { all, combineQueries, constant, execute, map, type Query, rawResults } from '../../db/query'
import { outbox } from '../../db/schema'
import { type AppError, Conflict, NotFound } from '../../errors'
import type { DomainEvent } from '../../messages/events'
import type { Job } from '../../messages/jobs'
import type { LiveEvent } from '../../messages/live'
import type { OutboxMessage } from '../../messages/stored'
import type { Ctx } from '../../ports/ctx'

type Statement = RunnableQuery<unknown, 'sqlite'>

/** Time after which the outbox sweep takes an event for lost. */
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
  readonly #conditional = new Map<SQL, OutboxMessage[]>()
  readonly #expendable = new Map<string, Job>()
  readonly #liveEvents = new Map<string, LiveEvent>()

  add(...statements: readonly Statement[]): this {
    this.#statements.push(...statements)
    return this
  }

  /** Makes the whole batch fail with `error` when `condition` does not hold at commit. */
  require(condition: SQL, error: AppError): this {
    this.#guards.push({ condition, error })
    return this
  }

  /** Adds a domain event, handled after the commit. Duplicates are stored once. */
  emit(event: DomainEvent): this {
    return this.#store(event)
  }

  /** Adds a job, enqueued after the commit. Duplicates are stored once. */
  enqueue(job: Job): this {
    return this.#store(job)
  }

  /**
   * Adds a job that may be lost: enqueued after the commit without being stored before, which saves two rows written. For
   * jobs that no guarantee depends on.
   */
  enqueueUnstored(job: Job): this {
    this.#expendable.set(JSON.stringify(job), job)
    return this
  }

  /** Adds a domain event that is stored if `condition` holds after all other writes. */
  emitWhere(condition: SQL, event: DomainEvent): this {
    return this.#storeWhere(condition, event)
  }

  /** Adds a job that is stored if `condition` holds after all other writes. */
  enqueueWhere(condition: SQL, job: Job): this {
    return this.#storeWhere(condition, job)
  }

  /** Adds a message to those of its condition, which are stored by one statement. */
  #storeWhere(condition: SQL, message: OutboxMessage): this {
    this.#conditional.set(condition, [...(this.#conditional.get(condition) ?? []), message])
    return this
  }

  #store(message: OutboxMessage): this {
    this.#messages.set(JSON.stringify(message), message)
    return this
  }

  /** Publishes a live event to connected clients after the commit. Duplicates are published once. */
  publish(event: LiveEvent): this {
    this.#liveEvents.set(JSON.stringify(event), event)
    return this
  }

  /** Adds all of other changes. */
  include(others: Changes): this {
    this.#statements.push(...others.#statements)
    this.#guards.push(...others.#guards)
    for (const [key, message] of others.#messages) this.#messages.set(key, message)
    for (const [key, job] of others.#expendable) this.#expendable.set(key, job)
    for (const [condition, messages] of others.#conditional)
      for (const message of messages) this.#storeWhere(condition, message)
    for (const [key, event] of others.#liveEvents) this.#liveEvents.set(key, event)
    return this
  }

  /** Statements of the batch: also those that store messages and find the audience of each live event. */
  get size(): number {
    const stored = this.#conditional.size + (this.#messages.size > 0 ? 1 : 0)
    return this.#guards.length + this.#statements.length + stored + this.#liveEvents.size
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

  get unstoredJobs(): readonly Job[] {
    return [...this.#expendable.values()]
  }

  get conditionalMessages(): ReadonlyMap<SQL, readonly OutboxMessage[]> {
    return this.#conditional
  }

  get liveEvents(): readonly LiveEvent[] {
    return [...this.#liveEvents.values()]
  }
}

/** Commits the changes as `commitAndRead` does, without reading. Returns the changed row count of each added statement. */
export async function commit(ctx: Ctx, changes: Changes): Promise<readonly number[]> {
  const { changed } = await commitAndRead(ctx, changes, constant(null))
  return changed
}

/** Commits the changes of a step; where something else changed at the same time, nothing, and the step has no effect. */
export async function commitStep(ctx: Ctx, changes: Changes): Promise<Outcome> {
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof Conflict) return ignored(failure.message)
    throw failure
  }
}

/** Commits the changes as `commit` does; null, and nothing is changed, where `condition` does not hold. */
export async function commitWhere(
  ctx: Ctx,
  condition: SQL,
  changes: Changes,
): Promise<readonly number[] | null> {
  const failed = new NotFound()
  try {
    return await commit(ctx, changes.require(condition, failed))
  } catch (failure) {
    if (failure === failed) return null
    throw failure
  }
}

/**
 * Commits the changes and reads what `query` then finds in one round trip. Afterwards dispatches the domain events, and
 * publishes the live events to the subscribers that the same round trip found.
 *
 * Guards run first. `changed` is the changed row count of each added statement, in order.
 */
export async function commitAndRead<T>(
  ctx: Ctx,
  changes: Changes,
  query: Query<T>,
): Promise<{ readonly changed: readonly number[]; readonly found: T }> {
  const withIds = (messages: readonly OutboxMessage[]) =>
    messages.map((event) => ({ id: ctx.ids.next(), event }))
  const entries = withIds(changes.messages)
  const conditional = [...changes.conditionalMessages].map(([condition, messages]) => ({
    condition,
    entries: withIds(messages),
  }))
  const batch = combineQueries({
    guards: rawResults(
      changes.guards.map((guard, index) =>
        ctx.db.run(sql`select ${guarded(guard.condition, String(index))}`),
      ),
    ),
    early: findAudience(
      ctx,
      changes.liveEvents.filter((event) => ctx.streamAudience.isReadBeforeWrites(event)),
    ),
    written: rawResults(changes.statements),
    events: rawResults(entries.length > 0 ? [storeEvents(ctx, entries, always)] : []),
    conditional: rawResults(conditional.map((group) => storeEvents(ctx, group.entries, group.condition))),
    late: findAudience(
      ctx,
      changes.liveEvents.filter((event) => !ctx.streamAudience.isReadBeforeWrites(event)),
    ),
    found: query,
  })
  const done = await execute(ctx.db, batch).catch((failure: unknown) => {
    throw changes.guards[Number(failedGuard(failure) ?? Number.NaN)]?.error ?? failure
  })
  const stored = conditional.filter((_, index) => changedRows(done.conditional[index]) > 0)
  const drained = [...entries, ...stored.flatMap((group) => group.entries), ...withIds(changes.unstoredJobs)]
  if (drained.length > 0) ctx.outbox.drain(drained)
  for (const { event, audience } of [...done.early, ...done.late]) ctx.streams.publish(event, audience)
  return { changed: done.written.map(changedRows), found: done.found }
}

function findAudience(ctx: Ctx, events: readonly LiveEvent[]) {
  return all(events.map((event) => map(ctx.streamAudience.of(event), (audience) => ({ event, audience }))))
}

const always = sql`true`

/** Statement that stores messages. The condition is its only `where`: the rows exist exactly when it held. */
function storeEvents(
  ctx: Ctx,
  entries: readonly { readonly id: number; readonly event: OutboxMessage }[],
  condition: SQL,
) {
  const notBefore = ctx.clock.now().getTime() + sweepAfterMilliseconds
  return insertEvents(ctx.db, { notBefore, entries: JSON.stringify(entries), condition })
}

const insertEvents = preparedWrite(
  ['notBefore', 'entries', 'condition'],
  (_db, { notBefore, entries, condition }) => sql`insert into ${outbox} (id, event, not_before)
    select message.value ->> 'id', message.value -> 'event', ${notBefore}
    from json_each(${entries}) as message where ${condition}`,
)

function changedRows(result: unknown): number {
  if (typeof result !== 'object' || result === null || !('meta' in result)) return 0
  const { meta } = result
  if (typeof meta !== 'object' || meta === null || !('changes' in meta)) return 0
  return typeof meta.changes === 'number' ? meta.changes : 0
}

/** Result of a background step, or of an activity received from another server. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'retry'; readonly afterSeconds: number }

export const done: Outcome = { kind: 'done' }

/** No effect was needed; not an error. */
export function ignored(reason: string): Outcome {
  return { kind: 'ignored', reason }
}

/** Refused: carrying it out is not permitted. */
export function rejected(reason: string): Outcome {
  return { kind: 'rejected', reason }
}

export function retry(afterSeconds: number): Outcome {
  return { kind: 'retry', afterSeconds }
}
