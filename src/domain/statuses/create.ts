import { eq } from 'drizzle-orm'
import { execute } from '../../db/query'
import { idempotencyKeys, scheduledStatuses } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import type { StatusDraft } from './draft'
import { type CreatedPost, createdWithKey, keyLifetimeMilliseconds } from './find-by-idempotency-key'
import type { StatusPlan } from './plan'
import { prepareStatus } from './prepare'
import { isStillScheduled, NoLongerScheduled, type ScheduledRow } from './scheduled/find-scheduled'
import { storeStatus } from './store'

/**
 * Creates a status of `author` from a draft: one round trip to load, one to commit. Unknown remote accounts it
 * mentions are resolved first.
 *
 * With an idempotency key, returns what the key created within the last hour, also for concurrent duplicate
 * requests. The same batch adds the status to home feeds and notifies mentioned accounts and subscribers of the
 * author. Emits `status.created`. Errors: see `prepareStatus`.
 */
export async function createStatus(
  ctx: Ctx,
  author: Viewer,
  { draft, key = null }: { readonly draft: StatusDraft; readonly key?: string | null },
): Promise<CreatedPost> {
  const prepared = await prepareStatus(ctx, author, { draft, key })
  if (prepared.earlier !== null) return prepared.earlier
  const { plan } = prepared
  const changes = new Changes()
  addStatus(ctx, changes, plan)
  if (key !== null) return commitOnce(ctx, changes, { id: plan.status.id, author: author.id, key })
  await commit(ctx, changes)
  return { kind: 'status', id: plan.status.id }
}

/**
 * Publishes the scheduled status `row` and deletes the row in the same batch: repeated or concurrent runs create
 * one status. `NoLongerScheduled` if it was published, moved or cancelled meanwhile; otherwise as `createStatus`.
 */
export async function createScheduled(ctx: Ctx, author: Viewer, row: ScheduledRow): Promise<void> {
  const prepared = await prepareStatus(ctx, author, { draft: row.params, key: null, heldBy: row.id })
  if (prepared.earlier !== null) return
  const { plan } = prepared
  const changes = new Changes().require(isStillScheduled(row), new NoLongerScheduled())
  addStatus(ctx, changes, plan)
  changes.add(ctx.db.delete(scheduledStatuses).where(eq(scheduledStatuses.id, row.id)))
  const { idempotencyKey: key, createdAt } = row
  const isKeyAlive = ctx.clock.now().getTime() - createdAt.getTime() < keyLifetimeMilliseconds
  // A repeated request with this key returns the status from now on.
  if (key !== null && isKeyAlive)
    changes.add(storeIdempotencyKey(ctx, { key, accountId: author.id, statusId: plan.status.id, createdAt }))
  await commit(ctx, changes)
}

function addStatus(ctx: Ctx, changes: Changes, plan: StatusPlan): void {
  const { id: statusId, accountId, localOnly, approval = null } = plan.status
  storeStatus(ctx, changes, plan)
  if (approval?.state === 'pending') {
    changes.emit({ kind: 'approval.requested', accountId, statusId })
    return
  }
  if (localOnly !== true) changes.emit({ kind: 'status.created', accountId, statusId })
  if (plan.quote?.state === 'pending') changes.emit({ kind: 'quote.requested', accountId, statusId })
}

/** Commits unless a concurrent duplicate request has used the key. */
async function commitOnce(
  ctx: Ctx,
  changes: Changes,
  { id, author, key }: { readonly id: StatusId; readonly author: AccountId; readonly key: string },
): Promise<CreatedPost> {
  const made = createdWithKey(ctx, author, key)
  const taken = new Conflict('This status has been posted already')
  changes
    .require(made.free, taken)
    .add(storeIdempotencyKey(ctx, { key, accountId: author, statusId: id, createdAt: ctx.clock.now() }))
  try {
    await commit(ctx, changes)
    return { kind: 'status', id }
  } catch (failure) {
    const earlier = failure === taken ? await execute(ctx.db, made.query) : null
    if (earlier === null) throw failure
    return earlier
  }
}

function storeIdempotencyKey(ctx: Ctx, row: typeof idempotencyKeys.$inferInsert) {
  const { statusId, createdAt } = row
  return ctx.db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.accountId, idempotencyKeys.key],
      set: { statusId, createdAt },
    })
}
