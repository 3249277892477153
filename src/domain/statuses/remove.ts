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
import { updateFeaturedCounts } from '../featured-tags/find'
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
 * Adds what removes a status: its figures, its reblogs with theirs, and a tombstone (`leaveTombstone`). Marks, mentions, poll, votes, pins and notifications go with the row; home
 * entries stay and point nowhere. Answers to it stay as statuses that answer something lost.
 */
export function removeStatus(ctx: Ctx, changes: Changes, { author, status }: Removal): void {
  const { id, reblogOfId } = status
  const make = reblogOfId === null ? statusUri : reblogUri
  const uri = status.uri ?? make(ctx.config.origin, author.username, id)
  leaveTombstone(ctx, changes, { status, uri })
  changes.require(statusExists(id), new NotFound()).add(
    // Counted before the rows go.
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
 * What is left of a removed status. Late copies of another server's do nothing for a while. A tombstone of ours tells
 * readers of its address that it is gone, and thereby that it was there: none for what not everybody could read, whose
 * address answers like one that never was.
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

/** What to announce of a removed status of ours. */
export function statusRemoved(status: OwnStatus, concerned: readonly AccountId[]): DomainEvent {
  const { id: statusId, accountId, visibility, reblogOfId } = status
  if (reblogOfId !== null) return { kind: 'reblog.removed', accountId, statusId, reblogOfId, visibility }
  return { kind: 'status.deleted', accountId, statusId, visibility, concernedIds: [...concerned] }
}

/** A statement that takes the status `id` from under some of its tags. */
export function untag(ctx: Ctx, id: StatusId, tags: readonly StatusTag[]) {
  const names = tags.map(({ name }) => name)
  const named = sql`${statusTags.tagId} in (select tags.id from tags where ${inList(sql`tags.name`, names)})`
  return ctx.db.delete(statusTags).where(and(named, eq(statusTags.statusId, id)))
}

/**
 * Frees the uploads of a removed status for its redraft, those of earlier versions included; from now on they wait
 * as if just uploaded.
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

/** Deletes the uploads of a removed status with their files (`files.unused`). */
export function deleteMediaOf(ctx: Ctx, changes: Changes, { attachments }: OwnStatus): void {
  if (attachments.length === 0) return
  const ids = attachments.map((attachment) => attachment.id)
  changes.add(ctx.db.delete(mediaAttachments).where(inList(mediaAttachments.id, ids))).enqueue({
    kind: 'delete-files',
    keys: attachments.flatMap(({ file, preview }) => [...keysOfFile(file), ...keysOfFile(preview)]),
  })
}
