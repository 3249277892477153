import { eq, sql } from 'drizzle-orm'
import { execute } from '../../../db/query'
import { scheduledStatuses } from '../../../db/schema'
import { inList } from '../../../db/sql'
import { AppError } from '../../../errors'
import type { Ctx } from '../../../platform/ports'
import { Changes, commit } from '../../core/changes'
import { mayPost, type Person, peopleById } from '../../sessions/find'
import { createScheduled } from '../create'
import { dueScheduled, isStillScheduled, NoLongerScheduled, type ScheduledRow } from './find-scheduled'

const publishedAtOnce = 100
/** The time between them doubles: some four hours in all. */
const mostAttempts = 8

/**
 * Cron: posts what was scheduled for now. Doing it twice or breaking off in between posts nothing twice and loses
 * nothing: a status is made in the batch that takes it off the waiting ones.
 *
 * What may not be posted any more stays with its reason, and its author is told (`schedule.failed`). What failed for
 * no fault of its own is tried again.
 */
export async function publishScheduled(ctx: Ctx): Promise<void> {
  const due = await execute(ctx.db, dueScheduled(ctx, ctx.clock.now(), publishedAtOnce))
  if (due.length === 0) return
  const authors = [...new Set(due.map(({ accountId }) => accountId))]
  const people = await execute(ctx.db, peopleById(ctx, authors))
  await lease(ctx, due)
  for (const row of due) await publish(ctx, row, people.get(row.accountId))
}

/** One that takes the whole run down with it must not be the first of the next one. */
async function lease(ctx: Ctx, due: readonly ScheduledRow[]): Promise<void> {
  const { id, attempts } = scheduledStatuses
  const ids = due.map((row) => row.id)
  const now = ctx.clock.now().getTime()
  const set = { attempts: sql`${attempts} + 1`, dueAt: sql`${now} + 60000 * (1 << min(${attempts}, 10))` }
  await commit(ctx, new Changes().add(ctx.db.update(scheduledStatuses).set(set).where(inList(id, ids))))
}

async function publish(ctx: Ctx, row: ScheduledRow, person: Person | undefined): Promise<void> {
  const applicationId = row.applicationId
  if (person === undefined || !mayPost(person))
    return recordFailure(ctx, row, 'This account may not post now')
  try {
    await createScheduled(ctx, { ...person.viewer, applicationId }, row)
  } catch (failure) {
    if (failure instanceof NoLongerScheduled) return
    const refusal = refusalOf(failure)
    if (refusal !== null) return recordFailure(ctx, row, refusal)
    ctx.log.error('A scheduled status could not be posted', { id: row.id, cause: failure })
    if (row.attempts + 1 >= mostAttempts) return recordFailure(ctx, row, 'This server could not post it')
  }
}

/** Why it may not be posted, in words for its author; null where it may work another time. */
function refusalOf(failure: unknown): string | null {
  const isFinal = failure instanceof AppError && [403, 404, 422].includes(failure.status)
  return isFinal ? failure.message : null
}

async function recordFailure(ctx: Ctx, row: ScheduledRow, failure: string): Promise<void> {
  const { id: scheduledId, accountId } = row
  const changes = new Changes()
    .require(isStillScheduled(row), new NoLongerScheduled())
    .add(ctx.db.update(scheduledStatuses).set({ failure }).where(eq(scheduledStatuses.id, scheduledId)))
    .enqueue({ kind: 'notify-scheduled-failure', accountId, scheduledId })
  await commit(ctx, changes).catch((late: unknown) => {
    if (!(late instanceof NoLongerScheduled)) throw late
  })
}
