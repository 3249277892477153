import type { AttachmentMeta } from '../../db/values'
import type { MediaId } from '../../lib/ids'
import { describePicture } from '../../lib/media/meta'
import type { Ctx } from '../../ports/ctx'
import { freshFolder, type NewFile } from './files'
import { processThumbnail } from './pictures'

/** A rendered preview to be stored: its file, and the columns of the upload's row. */
export interface RenderedPreview {
  readonly file: NewFile
  readonly previewKey: string
  readonly blurhash: string | null
  readonly small: NonNullable<AttachmentMeta['small']>
}

/** Renders the preview of a video or audio file from an uploaded picture; `Invalid` if it is no picture. */
export async function renderPreview(ctx: Ctx, id: MediaId, thumbnail: Uint8Array): Promise<RenderedPreview> {
  const { small, blurhash } = await processThumbnail(ctx, thumbnail)
  const previewKey = `${freshFolder(ctx, 'attachments', id)}/small.${small.extension}`
  return { file: { ...small, key: previewKey }, previewKey, blurhash, small: describePicture(small) }
}
