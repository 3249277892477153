import type { Config } from '../../config'
import type { Evidence } from '../../contract/entities/admin/evidence'
import type { moderationEvidence } from '../../db/schema'
import { statusUrl } from '../../lib/addresses'
import { presentAttachment } from './media'
import { timestamp } from './time'

type EvidenceFacts = typeof moderationEvidence.$inferSelect & { readonly isDeleted: boolean }

/** Presents a snapshot of a status. */
export function presentEvidence(config: Config, evidence: EvidenceFacts): Evidence {
  const { statusId, snapshot, isDeleted, createdAt } = evidence
  return {
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
    media_attachments: snapshot.attachments.map((attachment) => {
      const { type, url, description } = presentAttachment(config, attachment, snapshot.accountId)
      return { type, url, description }
    }),
    poll_options: snapshot.pollOptions === null ? null : [...snapshot.pollOptions],
    created_at: timestamp(new Date(snapshot.createdAt)),
    edited_at: snapshot.editedAt === null ? null : timestamp(new Date(snapshot.editedAt)),
    kept_at: timestamp(createdAt),
  }
}
