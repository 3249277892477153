import type { Config } from '../../config'
import type { MediaAttachment } from '../../contract/entities/media-attachment'
import type { Attachment, FileRef } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import { describePicture } from '../../lib/media/meta'
import { placeholderSize, plainBlurhash } from '../../lib/media/placeholder'
import { fileUrl, placeholderUrl } from '../urls'

/** Presents a media attachment of a status; `owner` wrote the status, or uploaded the file. */
export function presentAttachment(config: Config, attachment: Attachment, owner: AccountId): MediaAttachment {
  const { file, preview, type } = attachment
  const remoteUrl = remoteUrlOf(file)
  const previewRemoteUrl = preview === null ? null : remoteUrlOf(preview)
  return {
    id: String(attachment.id),
    type,
    // Unknown media types are not proxied: readers are sent to the remote URL.
    url: type === 'unknown' && remoteUrl !== null ? remoteUrl : fileUrl(config, file, owner),
    remote_url: remoteUrl,
    preview_remote_url: previewRemoteUrl,
    thumbnail_remote_url: previewRemoteUrl,
    text_url: null,
    description: attachment.description,
    ...previewFieldsOf(config, attachment, owner),
  }
}

/** Address of a file on another server; null for files of this one. */
function remoteUrlOf(file: FileRef): string | null {
  return 'remote' in file ? file.remote : null
}

type PreviewFields = Pick<MediaAttachment, 'preview_url' | 'blurhash' | 'meta'>

/**
 * Preview fields of an attachment. For audio, only its embedded cover. An image without a preview, or an
 * animated one, is its own preview; a video without one is drawn from its blurhash, or as a plain colour.
 */
function previewFieldsOf(
  config: Config,
  { type, file, preview, blurhash, meta }: Attachment,
  owner: AccountId,
): PreviewFields {
  if (preview !== null && !isMovingGif(file))
    return { preview_url: fileUrl(config, preview, owner), blurhash, meta }
  if (type === 'image') {
    const small = meta.original === undefined ? {} : { small: meta.original }
    return { preview_url: fileUrl(config, file, owner), blurhash, meta: { ...meta, ...small } }
  }
  if (type !== 'video' && type !== 'gifv') return { preview_url: null, blurhash, meta }
  const colours = blurhash ?? plainBlurhash
  const size = placeholderSize(meta.original ?? {})
  return {
    preview_url: placeholderUrl(config, colours, size),
    blurhash: colours,
    meta: { ...meta, small: describePicture(size) },
  }
}

/** Uploaded GIFs stay GIFs only if they are animated. */
function isMovingGif(file: FileRef): boolean {
  return 'key' in file && file.key.endsWith('.gif')
}
