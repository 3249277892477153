import { and, eq, sql } from 'drizzle-orm'
import { mediaAttachments, statuses, statusTags, tombstones } from '../../db/schema'
import { inList } from '../../db/sql'
import type { StatusTag } from '../../db/values'
import { NotFound } from '../../errors'
import { reblogUri, statusUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { DomainEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import { removeFromConversations } from '../conversations/entries'
import type { Changes } from '../core/changes'
import { tombstoneActivity } from '../core/received-activities'
import { updateFeaturedCounts } from '../featured-tags/update-counts'
import { deleteFiles } from '../media/delete-files'
import { keysOfFile } from '../media/pictures'
import type { OwnStatus } from '../policy/visibility'
import { replaceReblog } from '../timelines/fan-out'
import { addToInstanceCounters, decrementCounters, decrementStatusCounts } from './counters'
import { localReblogCount, rebloggersOf, statusExists } from './find'
import { acceptedQuoteOf, countQuote } from './quotes/store-quote'
import { withdrawNotification } from './withdraw-notification'

interface Removal {
  readonly author: { readonly username: string }
  readonly status: OwnStatus
}

/**
 * Adds the removal of a status: counters, its reblogs and their counters, and a tombstone (`leaveTombstone`).
 * Interactions, mentions, poll, votes, pins and notifications are deleted with the row. Home entries remain as
 * dangling references; replies remain without a parent.
 */
export function removeStatus(ctx: Ctx, changes: Changes, { author, status }: Removal): void {
  const { id, reblogOfId } = status
  const make = reblogOfId === null ? statusUri : reblogUri
  const uri = status.uri ?? make(ctx.config.origin, author.username, id)
  leaveTombstone(ctx, changes, { status, uri })
  changes.require(statusExists(id), new NotFound()).add(
    // Counters first, while the rows exist.
    ...decrementCounters(ctx, status),
    ...(reblogOfId === null ? [countQuote(ctx, { statusId: id, quoted: acceptedQuoteOf(id) }, -1)] : []),
    ...(reblogOfId === null
      ? [
          decrementStatusCounts(ctx, rebloggersOf(id)),
          addToInstanceCounters(ctx, sql`-(${localReblogCount(id)})`),
        ]
      : [withdrawNotification(ctx, { from: status.accountId, type: 'reblog', statusId: reblogOfId })]),
    ...(status.visibility === 'direct' ? removeFromConversations(ctx, sql`select ${id}`) : []),
    ...(reblogOfId === null ? [] : replaceReblog(ctx, { id, reblogOfId })),
    ctx.db.update(statuses).set({ inReplyToId: null }).where(eq(statuses.inReplyToId, id)),
    ...(status.tags.length === 0
      ? []
      : [untag(ctx, id, status.tags), ...updateFeaturedCounts(ctx, status, -1)]),
    ctx.db.delete(statuses).where(eq(statuses.id, id)),
  )
  changes.publish({ kind: 'status.removed', statusId: id })
}

/**
 * Adds the tombstone of a removed status. Late copies of a remote status are ignored for a while. A local
 * tombstone tells readers of the address that the status was deleted, and so that it existed: none is left for
 * statuses that were not public or unlisted, whose address answers like an unknown one.
 */
function leaveTombstone(
  ctx: Ctx,
  changes: Changes,
  { status, uri }: { readonly status: OwnStatus; readonly uri: string },
): void {
  const { local, localOnly, visibility } = status
  if (!local) tombstoneActivity(ctx, changes, [uri])
  else if (!localOnly && (visibility === 'public' || visibility === 'unlisted')) {
    const row = { uri, deletedAt: ctx.clock.now(), published: true }
    changes.add(ctx.db.insert(tombstones).values(row).onConflictDoNothing())
  }
}

/** Event that announces the removal of a local status. */
export function statusRemoved(status: OwnStatus, concerned: readonly AccountId[]): DomainEvent {
  const { id: statusId, accountId, visibility, reblogOfId } = status
  if (reblogOfId !== null) return { kind: 'reblog.removed', accountId, statusId, reblogOfId, visibility }
  return { kind: 'status.deleted', accountId, statusId, visibility, concernedIds: [...concerned] }
}

/** Statement that removes some tags from the status `id`. */
export function untag(ctx: Ctx, id: StatusId, tags: readonly StatusTag[]) {
  const names = tags.map(({ name }) => name)
  const named = sql`${statusTags.tagId} in (select tags.id from tags where ${inList(sql`tags.name`, names)})`
  return ctx.db.delete(statusTags).where(and(named, eq(statusTags.statusId, id)))
}

/**
 * Releases the uploads of a removed status for a redraft, including those of earlier versions. Their waiting time
 * restarts as if just uploaded.
 */
export function releaseMedia(ctx: Ctx, changes: Changes, { id, attachments, editedAt }: OwnStatus): void {
  if (attachments.length === 0 && editedAt === null) return
  changes.add(
    ctx.db
      .update(mediaAttachments)
      .set({ statusId: null, createdAt: ctx.clock.now() })
      .where(eq(mediaAttachments.statusId, id)),
  )
}

/** Deletes the uploads of a removed status with their files (`delete-files`). */
export function deleteMediaOf(ctx: Ctx, changes: Changes, { attachments }: OwnStatus): void {
  if (attachments.length === 0) return
  const ids = attachments.map((attachment) => attachment.id)
  changes.add(ctx.db.delete(mediaAttachments).where(inList(mediaAttachments.id, ids)))
  deleteFiles(
    changes,
    attachments.flatMap(({ file, preview }) => [...keysOfFile(file), ...keysOfFile(preview)]),
  )
}
