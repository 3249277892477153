import type { Ctx } from '../../platform/ports'
import type { PollRow } from './find'

/** How long the figures of a poll that was asked about are taken for good by this isolate. */
const restSeconds = 60

/**
 * Somebody looks at a poll of another server that is not over: its figures are asked for by a job after the answer,
 * for the next look. Servers tell their tallies to followers and voters, and polls are found by others too.
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
