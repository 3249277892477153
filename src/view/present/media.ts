import type { Config } from '../../config'
import type { MediaAttachment } from '../../contract/entities/media-attachment'
import type { Attachment } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import { fileUrl } from '../urls'

/** A file of a status; `owner` wrote the status, or uploaded the file. */
export function presentAttachment(config: Config, attachment: Attachment, owner: AccountId): MediaAttachment {
  const { file, preview } = attachment
  const remoteUrl = 'remote' in file ? file.remote : null
  return {
    id: String(attachment.id),
    type: attachment.type,
    // What is no media is not passed on: readers are sent to where it lies.
    url: attachment.type === 'unknown' && remoteUrl !== null ? remoteUrl : fileUrl(config, file, owner),
    preview_url: preview === null ? null : fileUrl(config, preview, owner),
    remote_url: remoteUrl,
    meta: attachment.meta,
    description: attachment.description,
    blurhash: attachment.blurhash,
  }
}
