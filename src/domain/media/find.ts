import { eq, type SQL, sql } from 'drizzle-orm'
import { execute, first, inList, map, type Query, rows } from '../../db/query'
import { mediaAttachments, statuses } from '../../db/schema'
import type { Attachment } from '../../db/values'
import { NotFound } from '../../errors'
import type { AccountId, MediaId, ScheduledId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'
import { withheldKey } from './pictures'

export type MediaRow = typeof mediaAttachments.$inferSelect

/** An upload as statuses store it and presenters show it. */
export function attachmentOf(row: MediaRow): Attachment {
  return {
    id: row.id,
    type: row.type,
    file: { key: row.fileKey },
    bytes: row.sizeBytes,
    preview: row.previewKey === null ? null : { key: row.previewKey },
    description: row.description,
    blurhash: row.blurhash,
    meta: row.meta,
  }
}

/** Keys of the files of an upload in the media store, while they are public. */
export function publicKeysOf({ fileKey, previewKey }: Pick<MediaRow, 'fileKey' | 'previewKey'>): string[] {
  return previewKey === null ? [fileKey] : [fileKey, previewKey]
}

/** Every file of an upload in the media store, to be deleted with its row: also where released ones are withheld. */
export function fileKeysOf(row: Pick<MediaRow, 'fileKey' | 'previewKey' | 'releasedFrom'>): string[] {
  const keys = publicKeysOf(row)
  return row.releasedFrom === null ? keys : [...keys, ...keys.map(withheldKey)]
}

/**
 * The upload with this id, of any owner and with any attachment: callers check permission. One statement.
 */
export function mediaById(ctx: Ctx, id: MediaId): Query<MediaRow | null> {
  return first(ctx.db.select().from(mediaAttachments).where(eq(mediaAttachments.id, id)))
}

/** The uploads attached to a status, those of earlier versions included. One statement. */
export function mediaOfStatus(ctx: Ctx, status: StatusId): Query<MediaRow[]> {
  return rows(ctx.db.select().from(mediaAttachments).where(eq(mediaAttachments.statusId, status)))
}

/** Condition on a row of `media_attachments`: not attached to a status. */
export const isUnattached = sql.raw('(status_id is null and scheduled_status_id is null)')

/**
 * For a guard: whether every upload of `ids` belongs to `owner`, and is unattached or held by the scheduled status
 * `heldBy`.
 */
export function areFree(
  owner: AccountId,
  ids: readonly MediaId[],
  heldBy: ScheduledId | null | undefined = null,
): SQL {
  return sql`(select count(*) from ${mediaAttachments} where ${isFree(owner, ids, heldBy)}) = ${ids.length}`
}

function isFree(owner: AccountId, ids: readonly MediaId[], heldBy: ScheduledId | null | undefined): SQL {
  const free =
    heldBy == null
      ? isUnattached
      : sql`(status_id is null and coalesce(${mediaAttachments.scheduledStatusId}, ${heldBy}) = ${heldBy})`
  return sql`${inList(mediaAttachments.id, ids)} and ${mediaAttachments.accountId} = ${owner} and ${free}`
}

/**
 * The uploads among `ids` that belong to `owner` and are unattached, in no particular order; with `heldBy` also those
 * held by this scheduled status. One statement.
 */
export function unattachedMediaById(
  ctx: Ctx,
  owner: AccountId,
  wanted: { readonly ids: readonly MediaId[]; readonly heldBy?: ScheduledId | null | undefined },
): Query<MediaRow[]> {
  return rows(
    ctx.db
      .select()
      .from(mediaAttachments)
      .where(isFree(owner, wanted.ids, wanted.heldBy)),
  )
}

/**
 * The viewer's own upload that is attached to no status, published or scheduled, but `heldBy`; `NotFound` for any other.
 */
export async function findUnattachedMedia(
  ctx: Ctx,
  viewer: { readonly id: AccountId },
  id: MediaId,
  heldBy: ScheduledId | null = null,
): Promise<MediaRow> {
  const [found] = await execute(ctx.db, unattachedMediaById(ctx, viewer.id, { ids: [id], heldBy }))
  if (found === undefined) throw new NotFound()
  return found
}

/**
 * The attachment with this id of a status that `viewer` may see; unattached, hidden and unknown ones are null.
 * One statement.
 */
export function visibleAttachment(ctx: Ctx, viewer: ViewerRef, id: MediaId): Query<Attachment | null> {
  const found = first(
    ctx.db
      .select({ attachments: statuses.attachments })
      .from(statuses)
      .where(
        sql`${statuses.id} = (select status_id from media_attachments where media_attachments.id = ${id})
          and ${visibleTo(viewer, 'statuses')}`,
      ),
  )
  return map(found, (row) => row?.attachments.find((attachment) => attachment.id === id) ?? null)
}
