import { eq, sql } from 'drizzle-orm'
import { removedAuthorId } from '../../contract/ids'
import { countedBefore, execute } from '../../db/query'
import { quotes, statuses, statusLinks, statusPins, trendingStatuses } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import type { StatusDeletion } from '../../messages/events'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { Changes, commitWhere } from '../core/changes'
import { longTask } from '../core/long-task'
import { makeRemovedAuthor } from '../core/removed-author'
import type { OwnStatus } from '../policy/visibility'
import { deleteSomeChildren } from './delete-children'
import { affectedRemoteAccounts, isBeingRemoved, removedStatuses } from './find-affected-servers'

/**
 * Adds the first part of a removal: the status is empty and by `removedAuthorId` from now on, so that it is hidden.
 * Jobs federate `announcement`, delete what refers to the status, then its row. The caller has counted it down and left
 * a tombstone.
 */
export function withdrawStatus(
  ctx: Ctx,
  changes: Changes,
  { id, local, accountId, pollId }: OwnStatus,
  announcement: StatusDeletion | null,
): void {
  const { db } = ctx
  const now = ctx.clock.now()
  changes.add(
    makeRemovedAuthor(ctx),
    ...(local
      ? []
      : // Counted by a trigger otherwise, which goes by the author of the deleted row.
        [
          db.run(sql`insert into domain_changes select a.domain, 0, 0, -1, 0, 0, 0, null
            from accounts a where a.id = ${accountId} and a.domain is not null and ${id} < ${countedBefore}`),
        ]),
    db.delete(statusPins).where(eq(statusPins.statusId, id)),
    db.delete(trendingStatuses).where(eq(trendingStatuses.statusId, id)),
    db.delete(statusLinks).where(eq(statusLinks.statusId, id)),
    db.delete(quotes).where(eq(quotes.statusId, id)),
    // Closed polls send no notification when they end.
    ...(pollId === null
      ? []
      : [db.run(sql`update polls set closed_at = ${now.getTime()} where status_id = ${id}`)]),
    db.update(statuses).set(emptied).where(eq(statuses.id, id)),
    // After the update, which marks the status for the index of searches.
    db.run(sql`delete from status_search where rowid = ${id}`),
    db.run(sql`delete from search_stale where status_id = ${id}`),
  )
  changes.enqueue(
    announcement === null
      ? statusRemoval.job(id)
      : // Deliveries to an inbox are sent in the order of events: this one comes after those of the status.
        { kind: 'federate-removal', statusId: id, eventId: ctx.ids.next(), event: announcement },
  )
}

const emptied = {
  accountId: removedAuthorId,
  local: false,
  visibility: 'private',
  uri: null,
  url: null,
  text: '',
  content: '',
  spoilerText: '',
  inReplyToId: null,
  inReplyToAccountId: null,
  inReplyToUri: null,
  repliesUri: null,
  contextUri: null,
  attachments: [],
  mentions: [],
  tags: [],
  emojis: [],
  linkedCollections: [],
  card: null,
  approval: null,
} as const

/** Federates the deletion of a status, then begins to delete it. */
export async function federateRemoval(
  ctx: Ctx,
  { statusId, eventId, event }: Extract<Job, { kind: 'federate-removal' }>,
): Promise<void> {
  // Before the rows that name servers with a copy are deleted. A repeated run has the same deliveries.
  const found = await execute(ctx.db, affectedRemoteAccounts(ctx, statusId))
  await ctx.delivery.federate({ ...event, concernedIds: [...event.concernedIds, ...found] }, eventId)
  await ctx.jobs.send(statusRemoval.job(statusId))
}

/** Deletes the rows that refer to removed statuses, at last the statuses. */
export const statusRemoval = longTask({
  name: 'remove-status',
  state: removedStatuses,
  statements: 16,
  step: async (ctx, id: StatusId) => {
    const isRemoved = isBeingRemoved(id)
    const { statements, isPartial } = deleteSomeChildren(ctx, id)
    const changed = await commitWhere(ctx, isRemoved, new Changes().add(...statements))
    if (changed === null) return true
    if (isPartial(changed)) return false
    const last = new Changes().add(ctx.db.delete(statuses).where(eq(statuses.id, id)))
    await commitWhere(ctx, isRemoved, last)
    return true
  },
})
