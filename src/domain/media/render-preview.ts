import type { AttachmentMeta } from '../../db/values'
import type { MediaId } from '../../lib/ids'
import { describePicture } from '../../lib/media/meta'
import type { Ctx } from '../../platform/ports'
import { freshFolder, type NewFile } from './files'
import { processThumbnail } from './pictures'

/** A preview that was drawn and waits to be stored: its file, and what the row of the upload says about it. */
export interface RenderedPreview {
  readonly file: NewFile
  readonly previewKey: string
  readonly blurhash: string | null
  readonly small: NonNullable<AttachmentMeta['small']>
}

/** Draws the preview of a video or sound from a picture somebody chose; `Invalid` for what is no picture. */
export async function renderPreview(ctx: Ctx, id: MediaId, thumbnail: Uint8Array): Promise<RenderedPreview> {
  const { small, blurhash } = await processThumbnail(ctx, thumbnail)
  const previewKey = `${freshFolder(ctx, 'attachments', id)}/small.${small.extension}`
  return { file: { ...small, key: previewKey }, previewKey, blurhash, small: describePicture(small) }
}
