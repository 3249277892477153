import type { Config } from '../../config'
import type { Attachment } from '../../db/values'
import { mimeOfName } from '../../lib/media/mime'
import { fileUrl } from '../../view/urls'
import type { JsonLdObject } from './document'
import { imageOf } from './tags'

/**
 * Serialises a picture, video or sound in the form every server reads: a Document with its alternative text as name.
 */
export function serialiseAttachment(config: Config, attachment: Attachment): JsonLdObject {
  const { file, preview, description, blurhash, meta } = attachment
  const { width, height } = meta.original ?? {}
  const mediaType = mimeOfName('key' in file ? file.key : file.remote)
  const hasCover = preview !== null && attachment.type !== 'image'
  return {
    type: 'Document',
    mediaType: mediaType ?? 'application/octet-stream',
    url: fileUrl(config, file, null),
    name: description,
    ...(blurhash === null ? {} : { blurhash }),
    ...(meta.focus === undefined ? {} : { focalPoint: [meta.focus.x, meta.focus.y] }),
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(hasCover ? { icon: imageOf(config, preview) } : {}),
  }
}
