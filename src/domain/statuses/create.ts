import { eq } from 'drizzle-orm'
import { execute, type Query } from '../../db/query'
import { idempotencyKeys, scheduledStatuses } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, commitAndRead } from '../core/changes'
import type { Viewer } from '../core/viewer'
import type { StatusDraft } from './draft'
import { type CreatedPost, createdWithKey, keyLifetimeMilliseconds } from './find-by-idempotency-key'
import type { StatusPlan } from './plan'
import { prepareStatus } from './prepare'
import { isStillScheduled, NoLongerScheduled, type ScheduledRow } from './scheduled/find-scheduled'
import { storeStatus } from './store'

/** Draft that a request posts, and the query for what its response shows of the new status. */
export interface PostRequest<T> {
  readonly draft: StatusDraft
  readonly key?: string | null
  read(id: StatusId): Query<T>
}

/** A new status, as its request reads it, or what an earlier request with the same idempotency key created. */
export type PostResult<T> =
  | { readonly kind: 'new'; readonly id: StatusId; readonly found: T }
  | { readonly kind: 'earlier'; readonly post: CreatedPost }

/**
 * Creates a status of `author` from a draft: one round trip to load, one to commit and read. Unknown remote accounts it
 * mentions are resolved first.
 *
 * With an idempotency key, returns what the key created within the last hour, also for concurrent duplicate
 * requests. The same batch adds the status to home feeds and notifies mentioned accounts and subscribers of the
 * author. Emits `status.created`. Errors: see `prepareStatus`.
 */
export async function createStatus<T>(
  ctx: Ctx,
  author: Viewer,
  { draft, key = null, read }: PostRequest<T>,
): Promise<PostResult<T>> {
  const prepared = await prepareStatus(ctx, author, { draft, key })
  if (prepared.earlier !== null) return { kind: 'earlier', post: prepared.earlier }
  const { plan } = prepared
  const { id } = plan.status
  const changes = new Changes()
  addStatus(ctx, changes, plan)
  if (key !== null) return commitOnce(ctx, changes, { id, author: author.id, key, query: read(id) })
  const { found } = await commitAndRead(ctx, changes, read(id))
  return { kind: 'new', id, found }
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

interface KeyedPost<T> {
  readonly id: StatusId
  readonly author: AccountId
  readonly key: string
  readonly query: Query<T>
}

/** Commits unless a concurrent duplicate request has used the key. */
async function commitOnce<T>(
  ctx: Ctx,
  changes: Changes,
  { id, author, key, query }: KeyedPost<T>,
): Promise<PostResult<T>> {
  const made = createdWithKey(ctx, author, key)
  const taken = new Conflict('posted_already')
  changes
    .require(made.free, taken)
    .add(storeIdempotencyKey(ctx, { key, accountId: author, statusId: id, createdAt: ctx.clock.now() }))
  try {
    const { found } = await commitAndRead(ctx, changes, query)
    return { kind: 'new', id, found }
  } catch (failure) {
    const earlier = failure === taken ? await execute(ctx.db, made.query) : null
    if (earlier === null) throw failure
    return { kind: 'earlier', post: earlier }
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
