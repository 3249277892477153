import type { Config } from '../../config'
import type { Evidence } from '../../contract/entities/admin/evidence'
import type { moderationEvidence } from '../../db/schema'
import type { Attachment } from '../../db/values'
import { statusUrl } from '../../lib/addresses'
import { copyKey } from '../../lib/media/copy-key'
import { presentAttachment } from './media'
import { timestamp } from './time'

type EvidenceFacts = typeof moderationEvidence.$inferSelect & {
  readonly isDeleted: boolean
  readonly fileKeys: readonly string[]
}

/** Presents a snapshot of a status to moderators: kept files at an endpoint of their own, also once deleted. */
export function presentEvidence(config: Config, evidence: EvidenceFacts): Evidence {
  const { id, fileKeys } = evidence
  const urlOf = (attachment: Attachment) => {
    const { file } = attachment
    if (fileKeys.includes('key' in file ? file.key : copyKey(attachment.id)))
      return `${config.origin}/api/fieldfare/v1/admin/evidence/${id}/media/${attachment.id}`
    return publicUrl(config, evidence, attachment)
  }
  return { ...shared(config, evidence), media_attachments: attachmentsOf(evidence, urlOf) }
}

/** Presents a snapshot of a status to its author: files as long as the status shows them. */
export function presentOwnEvidence(config: Config, evidence: EvidenceFacts): Evidence {
  const urlOf = (attachment: Attachment) => publicUrl(config, evidence, attachment)
  return { ...shared(config, evidence), media_attachments: attachmentsOf(evidence, urlOf) }
}

/** Null for a local file of a deleted status. */
function publicUrl(config: Config, { snapshot, isDeleted }: EvidenceFacts, attachment: Attachment) {
  if (isDeleted && 'key' in attachment.file) return null
  return presentAttachment(config, attachment, snapshot.accountId).url
}

function attachmentsOf(
  { snapshot }: EvidenceFacts,
  urlOf: (attachment: Attachment) => string | null,
): Evidence['media_attachments'] {
  return snapshot.attachments.map((attachment) => ({
    id: String(attachment.id),
    type: attachment.type,
    url: urlOf(attachment),
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
