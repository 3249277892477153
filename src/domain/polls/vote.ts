import { and, eq, type SQL, sql } from 'drizzle-orm'
import { execute, jsonRows, orNotFound } from '../../db/query'
import { polls, pollVotes } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { AccountId, PollId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type PollRow, visiblePoll, visiblePollOf } from './find'

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
  const poll = await execute(ctx.db, orNotFound(visiblePoll(ctx, viewerById(viewer.id), publicId)))
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
function countedUp(choices: readonly number[]): SQL {
  const changes = choices.map((choice) => {
    const path = `$[${choice}]`
    return sql`${path}, coalesce(tallies ->> ${path}, 0) + 1`
  })
  return sql`json_set(tallies, ${sql.join(changes, sql`, `)})`
}

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
