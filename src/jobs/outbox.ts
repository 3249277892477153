import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { preparedWrite } from '../db/prepared'
import { execute, inJsonList, inList, rawResults, rows } from '../db/query'
import { outbox } from '../db/schema'
import { isJob, type OutboxMessage, StoredMessage } from '../messages/stored'
import type { Ctx } from '../ports/ctx'
import type { OutboxEntry } from '../ports/services'
import { enqueueJob, runEffects } from './effects'

const sweepLength = 3
const retryAfterSeconds = 60
/** About five days after the first. */
const lastAttempt = 12

/**
 * Runs the effects of committed events, enqueues committed commands, and deletes the successful entries; the rest is
 * swept. Effects beyond the statements of this invocation are left to jobs (`run-effects`).
 */
export async function drain(ctx: Ctx, entries: readonly OutboxEntry[]): Promise<void> {
  const events = entries.filter(({ event }) => !isJob(event))
  return runFitting(ctx, entries, nextGroup(ctx, events))
}

/** Runs the first group of events in any case, then those that fit. */
async function runFitting(
  ctx: Ctx,
  entries: readonly OutboxEntry[],
  first: readonly OutboxEntry[],
): Promise<void> {
  const finished = await handleAll(
    ctx,
    entries.filter(({ event }) => isJob(event)),
  )
  let left = entries.filter(({ event }) => !isJob(event))
  for (let group = first; group.length > 0; group = nextGroup(ctx, left)) {
    left = left.slice(group.length)
    finished.push(...(await withReserved(ctx, weightOfAll(group), () => handleAll(ctx, group))))
  }
  if (finished.length > 0)
    await execute(ctx.db, rawResults([deleteEntries(ctx.db, { ids: JSON.stringify(finished) })]))
  await handOver(ctx, left)
}

const deleteEntries = preparedWrite(['ids'], (db, { ids }) =>
  db.delete(outbox).where(inJsonList(outbox.id, ids)),
)

/** Statements of the effects of one event, with its webhooks. */
const usualWeight = 9
/** Effects that need an invocation of their own. */
const heavyWeight = 40
const heavyKinds: ReadonlySet<string> = new Set<OutboxMessage['kind']>([
  'account.left',
  'account.moved',
  'account.unlocked',
  'member.joined',
])
/** Events handled at once. */
const concurrent = 3

function weightOf({ event }: OutboxEntry): number {
  return heavyKinds.has(event.kind) ? heavyWeight : usualWeight
}

function weightOfAll(entries: readonly OutboxEntry[]): number {
  return entries.reduce((sum, entry) => sum + weightOf(entry), 0)
}

/** The next events that fit into this invocation, with the deletion of their entries. */
function nextGroup({ usage }: Ctx, entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  let room = usage.statementsLeft() - 1
  const end = entries.findIndex((entry, index) => {
    room -= weightOf(entry)
    return index >= concurrent || room < 0
  })
  return end < 0 ? entries : entries.slice(0, end)
}

/** Runs work whose statements count as used while it runs. */
async function withReserved<T>({ usage }: Ctx, statements: number, run: () => Promise<T>): Promise<T> {
  const release = usage.reserveStatements(statements)
  return run().finally(release)
}

/** Ids of the entries that were handled without a failure. */
async function handleAll(ctx: Ctx, entries: readonly OutboxEntry[]): Promise<number[]> {
  const settled = await Promise.allSettled(entries.map((entry) => handle(ctx, entry)))
  for (const [index, result] of settled.entries())
    if (result.status === 'rejected')
      ctx.log.error('Effects of an event failed', { event: entries[index]?.event.kind, cause: result.reason })
  return entries.filter((_, index) => settled[index]?.status === 'fulfilled').map(({ id }) => id)
}

/** Entries of one message of the queue. */
const entriesPerJob = 6

/** Leaves entries to jobs, each an invocation of its own. Those of a failing queue are swept later. */
async function handOver(ctx: Ctx, entries: readonly OutboxEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += entriesPerJob)
    await ctx.jobs.send({
      kind: 'run-effects',
      entryIds: entries.slice(at, at + entriesPerJob).map(({ id }) => id),
    })
}

/** Runs those of the entries that are still there. */
export async function runEntries(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const found = await execute(ctx.db, rows(ctx.db.select().from(outbox).where(inList(outbox.id, ids))))
  // Unknown ones are left to the sweep, which moves them to the dead letters.
  const entries = found.flatMap((row) => Stored.safeParse(row).data ?? [])
  const events = entries.filter(({ event }) => !isJob(event))
  const fitting = nextGroup(ctx, events)
  // The first in any case: a job that queues all of its input again would never end.
  await runFitting(ctx, entries, fitting.length > 0 ? fitting : events.slice(0, 1))
}

function handle(ctx: Ctx, { id, event }: OutboxEntry): Promise<void> {
  return isJob(event) ? enqueueJob(ctx, event) : runEffects(ctx, event, id)
}

const Stored = z.object({ id: z.number(), event: StoredMessage, attempts: z.number() })

/** Condition: an entry was left by a crash or a failure, and its interval is over. */
export const hasDueEntries = ({ clock }: Ctx) =>
  sql`exists (select 1 from outbox where not_before <= ${clock.now().getTime()})`

/**
 * Cron: retries the next entries left by a crash or a failure, at growing intervals. The last failure ends in the dead-letter
 * queue.
 */
export async function sweepOutbox(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now().getTime()
  const due = ctx.db.select().from(outbox).where(sql`${outbox.notBefore} <= ${now}`).limit(sweepLength)
  for (const row of await execute(ctx.db, rows(due))) {
    const stored = Stored.safeParse(row)
    if (!stored.success || stored.data.attempts >= lastAttempt) {
      ctx.log.error('An outbox message was moved to the dead-letter queue', {
        id: row.id,
        attempts: row.attempts,
      })
      await ctx.deadLetters.send(row.event)
      await ctx.db.delete(outbox).where(eq(outbox.id, row.id))
      continue
    }
    const gap = retryAfterSeconds * 2 ** stored.data.attempts * 1000
    await ctx.db
      .update(outbox)
      .set({ attempts: stored.data.attempts + 1, notBefore: new Date(now + gap) })
      .where(eq(outbox.id, row.id))
    await drain(ctx, [stored.data])
  }
}
