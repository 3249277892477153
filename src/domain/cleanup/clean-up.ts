import { and, eq } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { cleanupPolicies } from '../../db/schema'
import { NotFound } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type Person, peopleById } from '../sessions/find'
import { deleteStatus } from '../statuses/delete'
import { ownStatus } from '../statuses/find'
import { affectedRemoteAccounts } from '../statuses/find-affected-servers'
import { type CleanupRow, dueCleanups, isBusy, oldStatuses } from './find-cleanup'

/** Bounds the rows read and deleted by one run: some thousand rows, and 50 statuses. */
const accountsPerRun = 5
const inspectedPerAccount = 200
const deletedPerAccount = 10
/** Outbox size from which the server counts as busy with user requests. */
const busyBacklog = 100
const restMilliseconds = dayMilliseconds

/**
 * Cron: deletes old statuses of accounts with a cleanup policy, by the ordinary command, oldest first and a few at
 * a time. Skips a run while the server is busy. Idempotent.
 *
 * Kept statuses are checked again in the next round, a day after this one ended: a pin may have been removed.
 */
export async function cleanUpStatuses(ctx: Ctx): Promise<void> {
  const { busy, due } = await execute(
    ctx.db,
    combineQueries({
      busy: isBusy(ctx, busyBacklog),
      due: dueCleanups(ctx, ctx.clock.now(), accountsPerRun),
    }),
  )
  if (due.length === 0) return
  if (busy) return ctx.log.info('Skipped the cleanup of old statuses: the server is busy')
  const ids = due.map(({ accountId }) => accountId)
  const people = await execute(ctx.db, peopleById(ctx, ids))
  for (const policy of due) await cleanUpAccount(ctx, policy, people.get(policy.accountId))
}

async function cleanUpAccount(ctx: Ctx, policy: CleanupRow, person: Person | undefined): Promise<void> {
  const now = ctx.clock.now()
  const old = await execute(ctx.db, oldStatuses(ctx, policy, { now, limit: inspectedPerAccount }))
  const deletable = old.filter(({ goes }) => goes).slice(0, deletedPerAccount)
  for (const { id } of deletable) if (person !== undefined) await deleteOne(ctx, person, id)
  const stoppedEarly = deletable.length === deletedPerAccount
  const isOver = old.length < inspectedPerAccount && !stoppedEarly
  const last = stoppedEarly ? deletable.at(-1) : old.at(-1)
  const set = isOver
    ? { place: 0, dueAt: new Date(now.getTime() + restMilliseconds) }
    : { place: last?.id ?? 0, dueAt: now }
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
  const { status, concerned } = await execute(
    ctx.db,
    combineQueries({ status: ownStatus(ctx, viewer.id, id), concerned: affectedRemoteAccounts(ctx, id) }),
  )
  if (status === null) return
  try {
    await deleteStatus(ctx, viewer, { status, concerned, withMedia: true })
  } catch (failure) {
    if (failure instanceof NotFound) return
    ctx.log.error('Failed to delete an old status', { id, cause: failure })
  }
}
