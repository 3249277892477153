import { and, eq, type SQL, sql } from 'drizzle-orm'
import { reblogUri, statusUri } from '../../contract/addresses'
import { inList } from '../../db/query'
import {
  formerTags,
  mediaAttachments,
  statusCounting,
  statuses,
  statusTags,
  tombstones,
} from '../../db/schema'
import type { StatusTag } from '../../db/values'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { DomainEvent, StatusDeletion } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { removeFromConversations } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { tombstoneActivity } from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { updateFeaturedCounts } from '../featured-tags/feature'
import { deleteFiles, withholdReleased } from '../media/delete-files'
import { keysOfFile } from '../media/pictures'
import type { OwnStatus } from '../policy/visibility'
import { replaceReblog } from '../timelines/fan-out'
import { localReblogCount, rebloggersOf, statusExists } from './find'
import type { RemovalFacts } from './find-affected-servers'
import { acceptedQuoteOf, countQuote } from './quotes/quote-state'
import { withdrawStatus } from './remove-in-parts'
import { addToInstanceCounters, decrementCounters, decrementStatusCounts, isCountedByNow } from './store'
import { withdrawNotification } from './withdraw-notification'

interface Removal {
  readonly author: { readonly username: string }
  readonly status: OwnStatus
  /** More rows refer to the status than one batch deletes: see `removalFacts`. Never of a reblog. */
  readonly inParts?: boolean
}

/**
 * Adds the removal of a status: counters, its reblogs and their counters, and a tombstone (`leaveTombstone`).
 * Interactions, mentions, poll, votes, pins and notifications are deleted with the row. Home entries remain as
 * dangling references; replies remain without a parent.
 *
 * With `inParts` the status disappears for everybody at once. A job federates the deletion of a local one, then
 * deletes the rest.
 */
export function removeStatus(ctx: Ctx, changes: Changes, { author, status, inParts = false }: Removal): void {
  const { id, reblogOfId } = status
  const make = reblogOfId === null ? statusUri : reblogUri
  const uri = status.uri ?? make(ctx.config.origin, author.username, id)
  leaveTombstone(ctx, changes, { status, uri })
  changes.require(statusExists(id), new NotFound()).add(
    // Counters first, while the rows exist.
    ...decrementCounters(ctx, status),
    ...(reblogOfId === null ? [countQuote(ctx, { statusId: id, quoted: acceptedQuoteOf(id) }, -1)] : []),
    ...(reblogOfId === null
      ? []
      : [withdrawNotification(ctx, { from: status.accountId, type: 'reblog', statusId: reblogOfId })]),
    ...(status.visibility === 'direct' ? removeFromConversations(ctx, sql`select ${id}`) : []),
    ...(reblogOfId === null ? [] : replaceReblog(ctx, { id, reblogOfId })),
    ...(status.tags.length === 0
      ? []
      : [untag(ctx, id, status.tags), ...updateFeaturedCounts(ctx, status, -1)]),
    ...(status.editedAt === null ? [] : [ctx.db.delete(formerTags).where(eq(formerTags.statusId, id))]),
  )
  if (inParts) withdrawStatus(ctx, changes, status, announcementOf(status))
  else changes.add(...deleteRow(ctx, status))
  changes.publish({ kind: 'status.removed', statusId: id })
}

/** Statements that delete the row, with what refers to it. */
function deleteRow(ctx: Ctx, { id, reblogOfId }: OwnStatus) {
  return [
    ...(reblogOfId === null
      ? [
          decrementStatusCounts(ctx, sql`${rebloggersOf(id)} and ${isCountedByNow}`),
          addToInstanceCounters(ctx, sql`-(${localReblogCount(id)})`),
        ]
      : []),
    ctx.db.update(statuses).set({ inReplyToId: null }).where(eq(statuses.inReplyToId, id)),
    ctx.db.delete(statuses).where(eq(statuses.id, id)),
  ]
}

/**
 * Adds the tombstone of a removed status. Late copies of a remote status are ignored for a while. A local
 * tombstone shows readers of the address that the status was deleted, and so that it existed: none is left for
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
  return deletionOf(status, concerned)
}

function deletionOf(
  { id, accountId, visibility }: OwnStatus,
  concerned: readonly AccountId[],
): StatusDeletion {
  return { kind: 'status.deleted', accountId, statusId: id, visibility, concernedIds: [...concerned] }
}

/** The deletion to be federated; null for a status that is of another server or local-only. */
function announcementOf(status: OwnStatus): StatusDeletion | null {
  if (!status.local || status.localOnly) return null
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  // The row no longer names the author it answers.
  const parent = isOpen && status.inReplyToAccountId !== null ? [status.inReplyToAccountId] : []
  return deletionOf(status, parent)
}

/** Statement that removes some tags from the status `id`. */
export function untag(ctx: Ctx, id: StatusId, tags: readonly StatusTag[]) {
  const named = sql`${statusTags.tagId} in (${idsOf(tags)})`
  return ctx.db.delete(statusTags).where(and(named, eq(statusTags.statusId, id)))
}

/** Statement that keeps which tags an edit takes off: home feeds of their followers continue showing the status. */
export function keepFormerTags(ctx: Ctx, id: StatusId, tags: readonly StatusTag[]) {
  return ctx.db.run(
    sql`insert into ${formerTags} (status_id, tag_id) select ${id}, id from (${idsOf(tags)}) where true on conflict do nothing`,
  )
}

function idsOf(tags: readonly StatusTag[]) {
  const names = tags.map(({ name }) => name)
  return sql`select tags.id from tags where ${inList(sql`tags.name`, names)}`
}

/**
 * Releases the uploads of a removed status for a redraft, including those of earlier versions. Their waiting time
 * restarts as if just uploaded; their files are withheld until another status has them (`settle-uploads`).
 */
function releaseMedia(ctx: Ctx, changes: Changes, { id, attachments, editedAt }: OwnStatus): void {
  if (attachments.length === 0 && editedAt === null) return
  changes.add(
    ctx.db
      .update(mediaAttachments)
      .set({ statusId: null, createdAt: ctx.clock.now(), releasedFrom: id })
      .where(eq(mediaAttachments.statusId, id)),
  )
  withholdReleased(changes, id)
}

/** Deletes the uploads of a removed status with their files (`delete-files`). */
function deleteMediaOf(ctx: Ctx, changes: Changes, { attachments }: OwnStatus): void {
  if (attachments.length === 0) return
  const ids = attachments.map((attachment) => attachment.id)
  changes.add(ctx.db.delete(mediaAttachments).where(inList(mediaAttachments.id, ids)))
  deleteFiles(
    changes,
    attachments.flatMap(({ file, preview }) => [...keysOfFile(file), ...keysOfFile(preview)]),
  )
}

/**
 * Deletes a status of `author` and its dependent rows in one batch; with `inParts`, as `removalFacts` returns it, a job
 * deletes most of these, and federates the deletion before.
 *
 * Its uploads become available for a redraft, unless `withMedia` deletes them and their files. `NotFound` if already
 * deleted. Emits `status.deleted`, or `reblog.removed` for a reblog.
 */
export async function deleteStatus(
  ctx: Ctx,
  author: Viewer,
  order: RemovalFacts & { readonly status: OwnStatus; readonly withMedia: boolean },
): Promise<void> {
  const { status, withMedia, concerned, inParts } = order
  const changes = new Changes()
  removeStatus(ctx, changes, { author, status, inParts })
  if (!status.localOnly && !inParts) changes.emit(statusRemoved(status, concerned))
  if (withMedia) deleteMediaOf(ctx, changes, status)
  // Cron removes uploads used only by earlier versions.
  releaseMedia(ctx, changes, status)
  await commit(ctx, changes)
}

/**
 * Three statements that delete the remote statuses whose ids `part` selects, and leave the counts of their servers alone:
 * the caller lowers those for all of them at once. A trigger does it otherwise, at five rows read for each.
 */
export function deleteRemoteStatuses({ db }: Ctx, part: SQL) {
  return [
    db.update(statusCounting).set({ isPruning: 1 }).where(eq(statusCounting.id, 1)),
    db.delete(statuses).where(sql`id in (${part})`),
    db.update(statusCounting).set({ isPruning: 0 }).where(eq(statusCounting.id, 1)),
  ] as const
}

/**
 * Statement that keeps what moderators deleted, by its URIs, from being stored again. Its tombstones stay: those recently
 * copies are pruned.
 */
export function forbid(ctx: Ctx, uris: readonly string[]) {
  const deletedAt = ctx.clock.now()
  const forGood = uris.map((uri) => ({ uri, deletedAt, published: true }))
  return ctx.db
    .insert(tombstones)
    .values(forGood)
    .onConflictDoUpdate({ target: tombstones.uri, set: { published: true } })
}
