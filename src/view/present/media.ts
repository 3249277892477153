import type { Config } from '../../config'
import type { MediaAttachment } from '../../contract/entities/media-attachment'
import type { Attachment } from '../../db/values'
import { fileUrl } from '../urls'

export function presentAttachment(config: Config, attachment: Attachment): MediaAttachment {
  const { file, preview } = attachment
  return {
    id: String(attachment.id),
    type: attachment.type,
    url: fileUrl(config, file),
    preview_url: preview === null ? null : fileUrl(config, preview),
    remote_url: 'remote' in file ? file.remote : null,
    meta: attachment.meta,
    description: attachment.description,
    blurhash: attachment.blurhash,
  }
}
