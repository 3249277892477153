import type { Ctx } from '../../../ports/ctx'
import { beginRefresh, type Refresh, refreshSubject } from '../../core/async-refreshes'
import type { StatusRow } from '../../policy/visibility'
import { maxLevelsUp } from './import'

/** Pause per isolate before the ancestors of a thread are fetched again. */
const cooldownSeconds = 15 * 60
const levelsDown = 2

type ThreadStatus = Pick<StatusRow, 'id' | 'local' | 'repliesUri' | 'contextUri' | 'inReplyToUri'>

/**
 * Enqueues jobs that fetch missing remote parts of the thread around `status`, for later requests. `top` is the
 * highest stored status of the thread. Nothing is fetched near the end of a daily quota. Returns the refresh a client may poll: the running one or a new one.
 */
export async function fetchThreadInBackground(
  ctx: Ctx,
  {
    status,
    top,
    refresh,
  }: { readonly status: ThreadStatus; readonly top: ThreadStatus; readonly refresh: Refresh | null },
): Promise<Refresh | null> {
  if (ctx.usage.isPaused('backfill')) return refresh
  const running = await requestReplies(ctx, status, refresh)
  // A local status that knows its parent by address only is from an archive, and never attached.
  if (top.inReplyToUri !== null && !top.local) {
    const job = { kind: 'fetch-ancestors' as const, statusId: top.id, levels: maxLevelsUp }
    if (ctx.memory.increment(JSON.stringify(job), cooldownSeconds) === 1) ctx.waitUntil(ctx.jobs.send(job))
  }
  return running
}

async function requestReplies(
  ctx: Ctx,
  status: ThreadStatus,
  refresh: Refresh | null,
): Promise<Refresh | null> {
  const isListed = status.repliesUri !== null || status.contextUri !== null
  if (refresh !== null || status.local || !isListed) return refresh
  const subject = refreshSubject.context(status.id)
  if (await beginRefresh(ctx, subject))
    ctx.waitUntil(ctx.jobs.send({ kind: 'fetch-replies', statusId: status.id, levels: levelsDown }))
  return { subject, status: 'running', resultCount: null }
}
