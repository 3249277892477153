import { and, eq } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { cleanupPolicies } from '../../db/schema'
import { NotFound } from '../../errors'
import { dayMilliseconds, restOfMinutes } from '../../lib/days'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Person, peopleById } from '../sessions/find'
import { ownStatus } from '../statuses/find'
import { removalFacts } from '../statuses/find-affected-servers'
import { deleteStatus } from '../statuses/remove'
import { nextCleanup, oldStatuses } from './find-cleanup'

/** Bounds of one run: some thousand rows read. */
const inspectedPerRun = 200
const deletedPerRun = 2
/** The next part of a round comes with the next tick. */
const partMilliseconds = restOfMinutes(1)
const restMilliseconds = dayMilliseconds

/**
 * Cron: deletes old statuses of the account whose cleanup policy is due longest, by the ordinary command, oldest first
 * and a few at a time. Idempotent.
 *
 * Kept statuses are checked again in the next round, a day after this one ended: a pin may have been removed.
 */
export async function cleanUpStatuses(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const policy = await execute(ctx.db, nextCleanup(ctx, now))
  if (policy === null) return
  const { people, old } = await execute(
    ctx.db,
    combineQueries({
      people: peopleById(ctx, [policy.accountId]),
      old: oldStatuses(ctx, policy, { now, limit: inspectedPerRun }),
    }),
  )
  const person = people.get(policy.accountId)
  const deletable = old.filter(({ goes }) => goes).slice(0, deletedPerRun)
  for (const { id } of deletable) if (person !== undefined) await deleteOne(ctx, person, id)
  const stoppedEarly = deletable.length === deletedPerRun
  const isOver = old.length < inspectedPerRun && !stoppedEarly
  const last = stoppedEarly ? deletable.at(-1) : old.at(-1)
  const set = isOver
    ? { place: 0, dueAt: new Date(now.getTime() + restMilliseconds) }
    : { place: last?.id ?? 0, dueAt: new Date(now.getTime() + partMilliseconds) }
  // A policy saved meanwhile starts from the beginning.
  const isSame = and(
    eq(cleanupPolicies.accountId, policy.accountId),
    eq(cleanupPolicies.place, policy.place),
    eq(cleanupPolicies.dueAt, policy.dueAt),
  )
  await commit(ctx, new Changes().add(ctx.db.update(cleanupPolicies).set(set).where(isSame)))
}

/** A status that cannot be deleted now is left to the next round. */
async function deleteOne(ctx: Ctx, { viewer }: Person, id: StatusId): Promise<void> {
  const { status, facts } = await execute(
    ctx.db,
    combineQueries({
      status: ownStatus(ctx, viewer.id, id),
      facts: removalFacts(ctx, id),
    }),
  )
  if (status === null) return
  try {
    await deleteStatus(ctx, viewer, { ...facts, status, withMedia: true })
  } catch (failure) {
    if (failure instanceof NotFound) return
    ctx.log.error('Failed to delete an old status', { id, cause: failure })
  }
}
