import { eq } from 'drizzle-orm'
import { polls, statuses } from '../../db/schema'
import { removedAuthorId, type StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { makeRemovedAuthor } from '../core/removed-author'
import type { PollRow } from '../polls/find'
import { statusRemoval } from './remove-in-parts'

/** Votes that may go with their poll, or from it, in one batch. */
const votesInOneBatch = 150

/** True if the poll has so many votes that it is deleted in parts. Pure. */
export function hasManyVotes({ votesCount }: PollRow): boolean {
  return votesCount > votesInOneBatch
}

/** Takes the poll from its status: it belongs to an empty, removed one, with which a job deletes it in parts. */
export function retirePoll(ctx: Ctx, changes: Changes, { id }: PollRow): void {
  const now = ctx.clock.now()
  const statusId: StatusId = ctx.ids.next()
  changes
    .add(
      makeRemovedAuthor(ctx),
      ctx.db.insert(statuses).values({
        id: statusId,
        accountId: removedAuthorId,
        local: false,
        visibility: 'private',
        conversationId: statusId,
        createdAt: now,
      }),
      // Closed polls notify nobody when they end.
      ctx.db
        .update(polls)
        .set({ statusId, publicId: null, accountId: removedAuthorId, closedAt: now })
        .where(eq(polls.id, id)),
    )
    .enqueue(statusRemoval.job(statusId))
}
