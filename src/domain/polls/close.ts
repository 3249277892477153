import { and, eq, isNull, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { polls } from '../../db/schema'
import type { AccountId, PollId } from '../../lib/ids'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { notify } from '../notifications/notify'
import { duePolls, type PollRow, pollById, votersBehind } from './find'

const closedAtOnce = 2
/** Voters that are examined at once, at some eleven rows for each local one. */
const notifiedAtOnce = 200

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
  const part = { after: 0, count: notifiedAtOnce }
  const voters = await execute(ctx.db, votersBehind(ctx, poll.id, part))
  const changes = new Changes().add(
    ctx.db
      .update(polls)
      .set({ closedAt: ctx.clock.now() })
      .where(and(eq(polls.id, poll.id), isNull(polls.closedAt))),
  )
  notifyOfEnd(ctx, changes, poll, [{ id: poll.accountId, isLocal: 1 }, ...voters])
  if (voters.length === part.count) changes.enqueue(nextVoters(poll, voters))
  // The final tally is federated to every server that has the poll.
  changes.emit({ kind: 'status.updated', accountId: poll.accountId, statusId: poll.statusId })
  await commit(ctx, changes)
}

/** Notifies the next voters of a poll that has ended; a job continues. A part that runs twice notifies each account once. */
export async function continueNotifyingVoters(
  ctx: Ctx,
  { pollId, after }: { readonly pollId: PollId; readonly after: AccountId },
): Promise<void> {
  const part = { after, count: notifiedAtOnce }
  const { poll, voters } = await execute(
    ctx.db,
    combineQueries({ poll: pollById(ctx, pollId), voters: votersBehind(ctx, pollId, part) }),
  )
  // A poll that was extended ends again.
  if (poll === null || poll.closedAt === null) return
  const changes = new Changes()
  notifyOfEnd(ctx, changes, poll, voters)
  if (voters.length === part.count) changes.enqueue(nextVoters(poll, voters))
  await commit(ctx, changes)
}

type Voters = readonly { readonly id: AccountId; readonly isLocal: number }[]

function notifyOfEnd(ctx: Ctx, changes: Changes, { accountId, statusId }: PollRow, concerned: Voters): void {
  const ids = new Set(concerned.flatMap(({ id, isLocal }) => (isLocal === 1 ? id : [])))
  notify(
    ctx,
    changes,
    [...ids].map((to) => ({ type: 'poll', from: accountId, statusId, to })),
  )
}

function nextVoters({ id }: PollRow, voters: Voters): Job {
  return { kind: 'notify-voters', pollId: id, after: voters.at(-1)?.id ?? 0 }
}
