import type { Ctx } from '../../../platform/ports'
import { beginRefresh, type Refresh, refreshSubject } from '../../core/async-refreshes'
import type { StatusRow } from '../../policy/visibility'
import { maxLevelsUp } from './import'

/** How long a thread that was looked around in is left alone by this isolate. */
const restSeconds = 15 * 60
const levelsDown = 2

type ThreadStatus = Pick<StatusRow, 'id' | 'local' | 'repliesUri' | 'inReplyToUri'>

/**
 * Somebody reads the thread around `status`: what other servers have of it is fetched by jobs after the answer, for
 * the next look. `top` is the highest status of the thread that is here. Answers the refresh a client may ask about:
 * that which goes on, or the one that begins now.
 */
export async function fetchThreadInBackground(
  ctx: Ctx,
  {
    status,
    top,
    refresh,
  }: { readonly status: ThreadStatus; readonly top: ThreadStatus; readonly refresh: Refresh | null },
): Promise<Refresh | null> {
  const running = await requestReplies(ctx, status, refresh)
  if (top.inReplyToUri !== null) {
    const job = { kind: 'fetch-ancestors' as const, statusId: top.id, levels: maxLevelsUp }
    if (ctx.memory.increment(JSON.stringify(job), restSeconds) === 1) ctx.waitUntil(ctx.jobs.send(job))
  }
  return running
}

async function requestReplies(
  ctx: Ctx,
  status: ThreadStatus,
  refresh: Refresh | null,
): Promise<Refresh | null> {
  if (refresh !== null || status.local || status.repliesUri === null) return refresh
  const subject = refreshSubject.context(status.id)
  if (await beginRefresh(ctx, subject))
    ctx.waitUntil(ctx.jobs.send({ kind: 'fetch-replies', statusId: status.id, levels: levelsDown }))
  return { subject, status: 'running', resultCount: null }
}
