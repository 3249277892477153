import { and, eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { polls, pollVotes } from '../../db/schema'
import { Conflict, Invalid } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, rejected } from '../core/outcome'
import { viewerById } from '../core/viewer'
import { visiblePollOf } from './find'
import { checkVote, countedUp } from './vote'

/** A choice of a remote account; several choices arrive as several votes. */
export interface RemotePollVote {
  /** The local status with the poll. */
  readonly statusId: StatusId
  /** The option, verbatim. */
  readonly choice: string
}

/**
 * Counts a remote account's choice in a local poll: each choice once, and in a single-choice poll the first only.
 *
 * One round trip to read, one to write. Federates the new tally (`status.updated`), the rarer the more votes there
 * are.
 */
export async function receiveVote(
  ctx: Ctx,
  voter: { readonly id: AccountId },
  { statusId, choice }: RemotePollVote,
): Promise<Outcome> {
  const poll = await execute(ctx.db, visiblePollOf(ctx, viewerById(voter.id), statusId))
  if (poll === null) return ignored('votes in a poll that is unknown or not visible to its actor')
  const index = poll.options.indexOf(choice)
  const refusal = refusalMessage(() =>
    checkVote(poll, { by: voter.id, choices: [index], now: ctx.clock.now() }),
  )
  if (refusal !== null) return rejected(refusal)
  const own = sql`${pollVotes.pollId} = ${poll.id} and ${pollVotes.accountId} = ${voter.id}`
  const again = poll.multiple ? sql`${own} and ${pollVotes.choice} = ${index}` : own
  const changes = new Changes()
    .require(sql`not exists (select 1 from ${pollVotes} where ${again})`, new Conflict('voted_before'))
    .require(
      sql`exists (select 1 from ${polls} where ${polls.id} = ${poll.id} and ${polls.closedAt} is null)`,
      new Conflict('poll_over'),
    )
    .add(
      ctx.db
        .update(polls)
        .set({
          tallies: countedUp([index]),
          votesCount: sql`votes_count + 1`,
          // Evaluated before the vote is inserted: a second choice comes from the same voter.
          votersCount: sql`coalesce(voters_count, 0) + not exists (select 1 from ${pollVotes} where ${own})`,
        })
        .where(and(eq(polls.id, poll.id))),
      ctx.db.insert(pollVotes).values({ pollId: poll.id, accountId: voter.id, choice: index }),
    )
  if (isWorthPublishing(poll.votesCount + 1))
    changes.emit({ kind: 'status.updated', accountId: poll.accountId, statusId: poll.statusId })
  await commit(ctx, changes)
  return done
}

function refusalMessage(check: () => void): string | null {
  try {
    check()
    return null
  } catch (failure) {
    if (failure instanceof Invalid) return failure.message
    throw failure
  }
}

/** Whether the tally is worth federating: after each of the first ten votes, then every tenth, hundredth, ... */
export function isWorthPublishing(votes: number): boolean {
  const step = 10 ** (String(votes).length - 1)
  return votes % step === 0
}
