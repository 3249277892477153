import { and, eq, isNull, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { polls } from '../../db/schema'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { notify } from '../notifications/notify'
import { duePolls, localVoters, type PollRow } from './find'

const closedAtOnce = 2

/** Condition: a poll has ended and is not closed yet. Verbatim the index of open polls. */
export const hasEndedPolls = ({ clock }: Ctx) => sql`exists (select 1 from polls
  where closed_at is null and expires_at is not null and expires_at <= ${clock.now().getTime()})`

/**
 * Cron: closes the next ended polls and notifies their authors and voters. Idempotent. Emits `status.updated`.
 */
export async function closePolls(ctx: Ctx): Promise<void> {
  const due = await execute(ctx.db, duePolls(ctx, ctx.clock.now(), closedAtOnce))
  for (const poll of due) await closePoll(ctx, poll)
}

async function closePoll(ctx: Ctx, poll: PollRow): Promise<void> {
  const voters = await execute(ctx.db, localVoters(ctx, poll.id))
  const concerned = [poll.accountId, ...voters.map(({ id }) => id)]
  const about = { type: 'poll' as const, from: poll.accountId, statusId: poll.statusId }
  const changes = new Changes().add(
    ctx.db
      .update(polls)
      .set({ closedAt: ctx.clock.now() })
      .where(and(eq(polls.id, poll.id), isNull(polls.closedAt))),
  )
  notify(
    ctx,
    changes,
    concerned.map((to) => ({ ...about, to })),
  )
  // The final tally is federated to every server that has the poll.
  changes.emit({ kind: 'status.updated', accountId: poll.accountId, statusId: poll.statusId })
  await commit(ctx, changes)
}
