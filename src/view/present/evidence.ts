import type { Config } from '../../config'
import type { CollectionEvidence, Evidence } from '../../contract/entities/admin/evidence'
import type { collectionEvidence, moderationEvidence } from '../../db/schema'
import type { Attachment } from '../../db/values'
import { collectionUrl, statusUrl } from '../../lib/addresses'
import { escapeHtml } from '../../lib/html'
import { copyKey } from '../../lib/media/copy-key'
import { presentAttachment } from './media'
import { timestamp } from './time'

type EvidenceFacts = typeof moderationEvidence.$inferSelect & {
  readonly isDeleted: boolean
  readonly fileKeys: readonly string[]
}

/** Presents a snapshot of a status to moderators: kept files below `filesAt`, also once the status was deleted. */
export function presentEvidence(
  config: Config,
  evidence: EvidenceFacts,
  filesAt = '/api/fieldfare/v1/admin/evidence',
): Evidence {
  const { id, fileKeys } = evidence
  return {
    ...shared(config, evidence),
    media_attachments: attachmentsOf(evidence, (attachment) => {
      const path = `${config.origin}${filesAt}/${id}/media/${attachment.id}`
      const [isKept, isSmallKept] = keysOf(attachment).map((key) => fileKeys.includes(key))
      const open = publicUrls(config, evidence, attachment)
      return {
        url: isKept === true ? path : open.url,
        preview_url: isSmallKept === true ? `${path}?small=true` : open.preview_url,
      }
    }),
  }
}

/** Keys of the kept file, and of its preview. */
function keysOf({ id, type, file, preview }: Attachment): readonly [string, string] {
  if ('key' in file) return [file.key, preview !== null && 'key' in preview ? preview.key : file.key]
  return [copyKey(id), type === 'image' ? copyKey(id) : copyKey(id, 'small')]
}

/** Presents a snapshot of a status to its author: files as long as the status shows them. */
export function presentOwnEvidence(config: Config, evidence: EvidenceFacts): Evidence {
  const urlsOf = (attachment: Attachment) => publicUrls(config, evidence, attachment)
  return { ...shared(config, evidence), media_attachments: attachmentsOf(evidence, urlsOf) }
}

type Urls = Readonly<Record<'url' | 'preview_url', string | null>>

/** Null for a local file of a deleted status. */
function publicUrls(config: Config, { snapshot, isDeleted }: EvidenceFacts, attachment: Attachment): Urls {
  if (isDeleted && 'key' in attachment.file) return { url: null, preview_url: null }
  const { url, preview_url } = presentAttachment(config, attachment, snapshot.accountId)
  return { url, preview_url }
}

function attachmentsOf(
  { snapshot }: EvidenceFacts,
  urlsOf: (attachment: Attachment) => Urls,
): Evidence['media_attachments'] {
  return snapshot.attachments.map((attachment) => ({
    id: String(attachment.id),
    type: attachment.type,
    ...urlsOf(attachment),
    description: attachment.description,
  }))
}

function shared(config: Config, evidence: EvidenceFacts) {
  const { statusId, snapshot, isDeleted, createdAt } = evidence
  return {
    id: String(evidence.id),
    status_id: String(statusId),
    account_id: String(snapshot.accountId),
    deleted: isDeleted,
    url: snapshot.url ?? snapshot.uri ?? statusUrl(config.origin, snapshot.username, statusId),
    visibility: snapshot.visibility,
    content: snapshot.content,
    spoiler_text: snapshot.spoilerText,
    sensitive: snapshot.sensitive === 1,
    language: snapshot.language,
    in_reply_to_id: snapshot.inReplyToId === null ? null : String(snapshot.inReplyToId),
    poll_options: snapshot.pollOptions === null ? null : [...snapshot.pollOptions],
    created_at: timestamp(new Date(snapshot.createdAt)),
    edited_at: snapshot.editedAt === null ? null : timestamp(new Date(snapshot.editedAt)),
    kept_at: timestamp(createdAt),
  }
}

type CollectionFacts = typeof collectionEvidence.$inferSelect & { readonly isDeleted: boolean }

/** Presents a snapshot of a collection, to moderators and to its owner. */
export function presentCollectionEvidence(
  { origin }: Pick<Config, 'origin'>,
  { id, collectionId, snapshot, isDeleted, createdAt }: CollectionFacts,
): CollectionEvidence {
  const { accountId, uri, url, name, description, sensitive, tag, members } = snapshot
  return {
    id: String(id),
    collection_id: String(collectionId),
    account_id: String(accountId),
    deleted: isDeleted,
    url: url ?? uri ?? collectionUrl(origin, collectionId),
    name,
    // As in the collection itself: HTML of remote ones.
    description: uri === null ? escapeHtml(description) : description,
    sensitive: sensitive === 1,
    tag,
    members: [...members],
    created_at: timestamp(new Date(snapshot.createdAt)),
    kept_at: timestamp(createdAt),
  }
}
