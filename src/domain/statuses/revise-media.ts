import { eq, sql } from 'drizzle-orm'
import { inList } from '../../db/query'
import { mediaAttachments, statusEdits } from '../../db/schema'
import { Conflict } from '../../errors'
import type { MediaId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { deleteFiles, restoreClaimed } from '../media/delete-files'
import type { NewFile } from '../media/files'
import { areFree, type MediaRow } from '../media/find'
import { type MediaDescription, parseMediaDescription, renderPreview } from '../media/upload'
import { missingMedia } from './plan'

/** Changes to an upload of a status. Images are their own preview. */
export interface MediaRevision extends MediaDescription {
  readonly id: MediaId
  readonly thumbnail?: Uint8Array | undefined
}

/** An upload before and after the edit. */
export interface RevisedMedia {
  readonly before: MediaRow
  readonly row: MediaRow
  /** File of a new preview. */
  readonly file: NewFile | null
}

/** Applies the author's changes to uploads; `Invalid` as for new uploads. */
export function reviseMedia(
  ctx: Ctx,
  rows: readonly MediaRow[],
  revisions: readonly MediaRevision[],
): Promise<RevisedMedia[]> {
  return Promise.all(
    rows.map(async (before) => {
      const revision = revisions.find(({ id }) => id === before.id)
      if (revision === undefined) return { before, row: before, file: null }
      const { description, focus } = parseMediaDescription(revision)
      const hasNewPreview = revision.thumbnail !== undefined && before.type !== 'image'
      const preview =
        hasNewPreview && revision.thumbnail ? await renderPreview(ctx, before.id, revision.thumbnail) : null
      const row = {
        ...before,
        description: description === undefined ? before.description : description,
        meta: { ...before.meta, ...(preview && { small: preview.small }), ...(focus && { focus }) },
        ...(preview && { previewKey: preview.previewKey, blurhash: preview.blurhash }),
      }
      return { before, row, file: preview?.file ?? null }
    }),
  )
}

/**
 * Adds the upload changes of an edited status. Claims new uploads. Removed ones stay attached until the status is
 * deleted, since its history shows them.
 */
export function storeRevisedMedia(
  ctx: Ctx,
  changes: Changes,
  kept: {
    readonly id: StatusId
    readonly author: Viewer
    readonly claimed: readonly MediaId[]
    readonly media: readonly RevisedMedia[]
  },
): void {
  const { id, author, claimed, media } = kept
  if (claimed.length > 0) {
    changes
      .require(areFree(author.id, claimed), missingMedia(claimed))
      .add(ctx.db.update(mediaAttachments).set({ statusId: id }).where(inList(mediaAttachments.id, claimed)))
    restoreClaimed(changes, claimed, id)
  }
  for (const revised of media) {
    const { before, row } = revised
    if (JSON.stringify(before) === JSON.stringify(row)) continue
    const { description, meta, previewKey, blurhash } = row
    changes.add(
      ctx.db
        .update(mediaAttachments)
        .set({ description, meta, previewKey, blurhash })
        .where(eq(mediaAttachments.id, row.id)),
    )
    if (previewKey !== before.previewKey) replacePreview(ctx, changes, { id, ...revised })
  }
}

/** Replaces a preview in earlier versions too, as in Mastodon, and deletes the old file. */
function replacePreview(
  ctx: Ctx,
  changes: Changes,
  { id, before, row }: RevisedMedia & { readonly id: StatusId },
): void {
  const old = before.previewKey
  // Guards against concurrent edits: the losing one would leave an orphaned file.
  changes.require(
    sql`exists (select 1 from media_attachments where id = ${row.id} and preview_key is ${old})`,
    new Conflict('file_changed'),
  )
  if (old === null) return
  const attachments = sql`replace(attachments, ${JSON.stringify(old)}, ${JSON.stringify(row.previewKey)})`
  changes.add(ctx.db.update(statusEdits).set({ attachments }).where(eq(statusEdits.statusId, id)))
  deleteFiles(changes, [old])
}
