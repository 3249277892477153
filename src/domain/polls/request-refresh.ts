import type { Ctx } from '../../ports/ctx'
import type { PollRow } from './find'

/** Seconds this isolate waits between refreshes of a poll. */
const restSeconds = 60

/**
 * Enqueues a refresh of an open remote poll that is being viewed, after the response and for the next view. Servers
 * federate tallies to followers and voters only, and polls are seen by others too.
 */
export function requestPollRefresh(
  ctx: Ctx,
  {
    status,
    poll,
  }: {
    readonly status: { readonly local: boolean; readonly uri: string | null }
    readonly poll: Pick<PollRow, 'id' | 'closedAt'>
  },
): void {
  const { local, uri } = status
  if (local || uri === null || poll.closedAt !== null) return
  if (ctx.memory.increment(`figures of poll ${poll.id}`, restSeconds) > 1) return
  ctx.waitUntil(ctx.jobs.send({ kind: 'refetch-object', uri }))
}
