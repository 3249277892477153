import type { Config } from '../../config'
import type { MediaAttachment, Status } from '../../contract/entities/status'
import type { Attachment } from '../../db/values'
import { escapeHtml } from '../../lib/html'
import { mimeOfName } from '../../lib/media/mime'
import { type PostPoll, type PostView, postView } from '../posts/post-view'
import { authorView, titleOf } from '../status-view'
import type { FeedAuthor, FeedEntry, FeedMedia } from './feed'

/**
 * A public status for feed readers, made of the entity that anonymous API clients get, and of the attachments as stored,
 * which know the sizes of their files.
 */
export function feedEntry(config: Config, status: Status, attachments: readonly Attachment[]): FeedEntry {
  const sizes = new Map(attachments.map(({ id, bytes }) => [String(id), bytes]))
  const shown = postView(config, status, null)
  return {
    id: status.uri,
    url: shown.url,
    title: titleOf(status) ?? insteadOfText(shown),
    html: [warningHtml(shown.warning), shown.html, shown.poll === null ? '' : pollHtml(shown.poll)].join(''),
    language: shown.language,
    author: feedAuthor(config, status.account),
    publishedAt: shown.createdAt,
    updatedAt: status.edited_at === null ? shown.createdAt : new Date(status.edited_at),
    tags: status.tags.map(({ name }) => name),
    media: status.media_attachments.flatMap((attachment) => feedMedia(attachment, sizes.get(attachment.id))),
    isSensitive: shown.isSensitive,
  }
}

function insteadOfText({ poll, media }: PostView): string {
  if (poll !== null) return 'A poll'
  return media.length > 0 ? `Attachments: ${media.length}` : 'A post'
}

export function feedAuthor(config: Config, account: Status['account']): FeedAuthor {
  const { name, handle, url } = authorView(config, account)
  return { name, handle, url }
}

/** Feed readers fold nothing: the warning at least comes first. */
function warningHtml(warning: string | null): string {
  return warning === null ? '' : `<p><strong>Content warning:</strong> ${escapeHtml(warning)}</p><hr>`
}

function pollHtml({ options }: PostPoll): string {
  return `<ul>${options.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join('')}</ul>`
}

const usualMimes = {
  image: 'image/jpeg',
  gifv: 'video/mp4',
  video: 'video/mp4',
  audio: 'audio/mpeg',
} as const
const mediums = {
  image: 'image',
  gifv: 'video',
  video: 'video',
  audio: 'audio',
  unknown: 'document',
} as const

function feedMedia(attachment: MediaAttachment, bytes: number | undefined): readonly FeedMedia[] {
  const { type, url, remote_url: remoteUrl, preview_url: previewUrl, description, meta } = attachment
  if (url === null) return []
  // Proxied files have an address without a file extension.
  const named = mimeOfName(new URL(remoteUrl ?? url).pathname)
  const usual = type === 'unknown' ? 'application/octet-stream' : usualMimes[type]
  return [
    {
      url,
      mime: named ?? usual,
      bytes: bytes ?? null,
      medium: mediums[type],
      previewUrl,
      description: description ?? '',
      width: meta?.original?.width ?? null,
      height: meta?.original?.height ?? null,
    },
  ]
}
