import { eq, type SQL, sql } from 'drizzle-orm'
import { countedBefore } from '../../db/counted-before'
import { execute } from '../../db/query'
import { quotes, statuses, statusLinks, statusPins, trendingStatuses } from '../../db/schema'
import { NotFound } from '../../errors'
import { removedAuthorId } from '../../lib/ids'
import type { StatusDeletion } from '../../messages/events'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { makeRemovedAuthor } from '../core/removed-author'
import type { OwnStatus } from '../policy/visibility'
import { deleteSomeChildren } from './delete-children'
import { affectedRemoteAccounts } from './find-affected-servers'
import { findUnfinishedRemoval, isBeingRemoved } from './find-children'

/**
 * Adds the first part of a removal: the status is empty and by `removedAuthorId` from now on, so that nobody sees it.
 * A job federates `announcement`, deletes what refers to the status, then its row. The caller has counted it down and left
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
    // Closed polls notify nobody when they end.
    ...(pollId === null
      ? []
      : [db.run(sql`update polls set closed_at = ${now.getTime()} where status_id = ${id}`)]),
    db.update(statuses).set(emptied).where(eq(statuses.id, id)),
    // After the update, which marks the status for the index of searches.
    db.run(sql`delete from status_search where rowid = ${id}`),
    db.run(sql`delete from search_stale where status_id = ${id}`),
  )
  changes.enqueue({
    kind: 'continue-removal',
    statusId: id,
    // Deliveries to an inbox are sent in the order of events: this one comes after those of the status.
    ...(announcement === null ? {} : { announcement: { eventId: ctx.ids.next(), event: announcement } }),
  })
}

/** Numbers of changed rows; null, and nothing is changed, where the condition does not hold. */
async function commitWhere(ctx: Ctx, condition: SQL, changes: Changes): Promise<readonly number[] | null> {
  try {
    return await commit(ctx, changes.require(condition, new NotFound()))
  } catch (failure) {
    if (failure instanceof NotFound) return null
    throw failure
  }
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

type RemovalJob = Extract<Job, { kind: 'continue-removal' }>

/**
 * Federates the announcement, or deletes the next rows that refer to a removed status, at last its own; a job continues.
 * Runs may repeat.
 */
export async function continueRemoval(ctx: Ctx, { statusId: id, announcement }: RemovalJob): Promise<void> {
  if (announcement !== undefined) {
    // Before the rows that tell which servers may have a copy are gone. A repeated run has the same deliveries.
    const found = await execute(ctx.db, affectedRemoteAccounts(ctx, id))
    const { event, eventId } = announcement
    await ctx.delivery.federate({ ...event, concernedIds: [...event.concernedIds, ...found] }, eventId)
    return ctx.jobs.send({ kind: 'continue-removal', statusId: id })
  }
  const isRemoved = isBeingRemoved(id)
  const { statements, isPartial } = deleteSomeChildren(ctx, id)
  const changed = await commitWhere(ctx, isRemoved, new Changes().add(...statements))
  if (changed === null) return
  if (isPartial(changed)) return ctx.jobs.send({ kind: 'continue-removal', statusId: id })
  await commitWhere(ctx, isRemoved, new Changes().add(ctx.db.delete(statuses).where(eq(statuses.id, id))))
}

/** Cron: starts anew the removal that has gone on longest, for a job that was lost. */
export async function resumeRemoval(ctx: Ctx): Promise<void> {
  const id = await execute(ctx.db, findUnfinishedRemoval(ctx))
  if (id !== null) await ctx.jobs.send({ kind: 'continue-removal', statusId: id })
}
