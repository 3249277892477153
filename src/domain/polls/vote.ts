import { eq, type SQL, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { polls, pollVotes } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, PollId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type PollRow, visiblePoll } from './find'

/** Validates a vote. Pure; throws `Invalid`. `choices` are indexes, each once. */
export function checkVote(
  poll: Pick<PollRow, 'accountId' | 'options' | 'multiple' | 'expiresAt'>,
  vote: { readonly by: AccountId; readonly choices: readonly number[]; readonly now: Date },
): void {
  if (vote.by === poll.accountId) throw new Invalid('own_poll')
  if (poll.expiresAt !== null && poll.expiresAt <= vote.now) throw pollEndedError()
  if (vote.choices.some((choice) => choice < 0 || choice >= poll.options.length))
    throw new Invalid('unknown_choice')
  if (vote.choices.length > 1 && !poll.multiple) throw new Invalid('single_choice')
}

/**
 * Counts the viewer's vote, which is final. `choices` holds at least one index, each once.
 *
 * `NotFound` when the viewer may not see the poll's status; `Invalid` as `checkVote` says, and for a second vote.
 * Emits `poll.voted`.
 */
export async function voteInPoll(
  ctx: Ctx,
  viewer: Viewer,
  { id: publicId, choices }: { readonly id: PollId; readonly choices: readonly number[] },
): Promise<void> {
  const poll = await execute(ctx.db, visiblePoll(ctx, viewerById(viewer.id), publicId))
  if (poll === null) throw new NotFound()
  const { id } = poll
  checkVote(poll, { by: viewer.id, choices, now: ctx.clock.now() })
  const voted = sql`exists (select 1 from ${pollVotes}
    where ${pollVotes.pollId} = ${id} and ${pollVotes.accountId} = ${viewer.id})`
  const changes = new Changes()
    .require(sql`exists (select 1 from ${polls} where ${polls.id} = ${id})`, new NotFound())
    .require(sql`not ${voted}`, new Invalid('voted_already'))
    .require(
      sql`exists (select 1 from ${polls} where ${polls.id} = ${id} and ${polls.closedAt} is null)`,
      pollEndedError(),
    )
    .add(
      ctx.db.run(sql`insert into ${pollVotes} (poll_id, account_id, choice)
        select ${id}, ${viewer.id}, item.value from ${jsonRows(choices)}`),
      ctx.db
        .update(polls)
        .set({
          tallies: countedUp(choices),
          votesCount: sql`votes_count + ${choices.length}`,
          votersCount: sql`coalesce(voters_count, 0) + 1`,
        })
        .where(eq(polls.id, id)),
    )
  changes.emit({
    kind: 'poll.voted',
    accountId: viewer.id,
    statusId: poll.statusId,
    pollId: id,
    choices: [...choices],
  })
  await commit(ctx, changes)
}

function pollEndedError() {
  return new Invalid('poll_ended')
}

/** The incremented tallies. Computed in the statement, because votes may be concurrent. */
export function countedUp(choices: readonly number[]): SQL {
  const changes = choices.map((choice) => {
    const path = `$[${choice}]`
    return sql`${path}, coalesce(tallies ->> ${path}, 0) + 1`
  })
  return sql`json_set(tallies, ${sql.join(changes, sql`, `)})`
}
