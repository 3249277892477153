import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, rows } from '../db/query'
import { outbox } from '../db/schema'
import { inList } from '../db/sql'
import { isJob, StoredMessage } from '../messages/stored'
import type { Ctx, OutboxEntry } from '../platform/ports'
import { runEffects } from './effects'
import { enqueueJob } from './enqueue-job'

const sweepLength = 3
const retryAfterSeconds = 60
/** About five days after the first. */
const lastAttempt = 12

/**
 * Runs the effects of committed events, enqueues committed commands, and deletes the successful entries; the rest is
 * swept.
 */
export async function drain(ctx: Ctx, entries: readonly OutboxEntry[]): Promise<void> {
  const settled = await Promise.allSettled(entries.map((entry) => handle(ctx, entry)))
  const finished = entries
    .filter((_, index) => settled[index]?.status === 'fulfilled')
    .map((entry) => entry.id)
  if (finished.length > 0) await ctx.db.delete(outbox).where(inList(outbox.id, finished))
  for (const [index, result] of settled.entries())
    if (result.status === 'rejected')
      ctx.log.error('Effects of an event failed', { event: entries[index]?.event.kind, cause: result.reason })
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
