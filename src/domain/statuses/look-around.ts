import type { Ctx } from '../../context'
import type { DomainEvent } from '../../events'
import type { StatusRow } from '../policy/visibility'
import { maxLevelsUp } from './import'

/** How long a thread that was looked around in is left alone by this isolate. */
const restSeconds = 15 * 60
const levelsDown = 2

type Seen = Pick<StatusRow, 'id' | 'local' | 'repliesUri' | 'inReplyToUri'>

/**
 * Somebody reads the thread around `status`: what other servers have of it is fetched by jobs after the answer, for
 * the next look. `top` is the highest status of the thread that is here.
 */
export function lookAround(ctx: Ctx, { status, top }: { readonly status: Seen; readonly top: Seen }): void {
  const wanted: readonly DomainEvent[] = [
    ...(status.local || status.repliesUri === null
      ? []
      : [{ kind: 'replies.wanted' as const, statusId: status.id, levels: levelsDown }]),
    ...(top.inReplyToUri === null
      ? []
      : [{ kind: 'thread.wanted' as const, statusId: top.id, levels: maxLevelsUp }]),
  ]
  for (const job of wanted)
    if (ctx.memory.count(JSON.stringify(job), restSeconds) === 1) ctx.waitUntil(ctx.jobs.send(job))
}
