import type { Config } from '../../config'
import type { Status } from '../../contract/entities/status'
import type { ScheduledStatus, StatusEdit, Translation } from '../../contract/entities/status-details'
import type { scheduledStatuses } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { Attachment } from '../../db/values'
import { readableSince } from '../../domain/policy/visibility'
import { idText } from '../../lib/ids'
import type { EditFacts } from '../load/status-parts'
import type { StatusFacts } from '../load/statuses'
import { accountEntity } from './account'
import { presentEmoji } from './emoji'
import { presentAttachment } from './media'
import type { PresentContext } from './status'
import { timestamp } from './time'

/**
 * Presents every version of a status that the viewer may read, oldest first, the current one last. The quote is
 * the same in each.
 */
export function presentEdits(
  { config }: PresentContext,
  { status, author, role, poll, viewer }: StatusFacts,
  earlier: readonly EditFacts[],
  quote: Status['quote'],
): StatusEdit[] {
  const latest = {
    ...status,
    createdAt: status.editedAt ?? status.createdAt,
    pollOptions: poll?.options ?? null,
  }
  const since = readableSince(viewer.viewerId, status, viewer)
  const readable = earlier.filter(({ createdAt }) => createdAt.getTime() >= since)
  return [...readable, latest].map((version) => ({
    content: version.content,
    spoiler_text: version.spoilerText,
    sensitive: version.sensitive,
    created_at: timestamp(version.createdAt),
    account: accountEntity(config, author, role),
    ...(version.pollOptions === null
      ? {}
      : { poll: { options: version.pollOptions.map((title) => ({ title })) } }),
    media_attachments: version.attachments.map((attachment) =>
      presentAttachment(config, attachment, status.accountId),
    ),
    emojis: version.emojis.map((emoji) => presentEmoji(config, emoji, status.accountId)),
    ...(quote === null ? {} : { quote }),
  }))
}

interface ScheduledFacts {
  readonly row: typeof scheduledStatuses.$inferSelect
  readonly media: readonly Attachment[]
}

/**
 * Presents a scheduled status to its author, with the reason if publishing it failed. `visibility` is the default of the
 * author now, which the status gets where none was chosen.
 */
export function presentScheduled(
  config: Config,
  { row, media }: ScheduledFacts,
  { visibility }: { readonly visibility: Visibility },
): ScheduledStatus {
  const { params, failure } = row
  return {
    id: String(row.id),
    scheduled_at: timestamp(row.scheduledAt),
    params: {
      text: params.text,
      poll: pollOf(params.poll),
      media_ids: params.mediaIds.length === 0 ? null : params.mediaIds.map(String),
      sensitive: params.sensitive ?? null,
      spoiler_text: params.spoilerText === '' ? null : params.spoilerText,
      visibility: params.visibility ?? visibility,
      in_reply_to_id: idText(params.inReplyToId),
      language: params.language ?? null,
      application_id: idText(row.applicationId),
      scheduled_at: null,
      idempotency: row.idempotencyKey,
      with_rate_limit: false,
      quoted_status_id: idText(params.quotedId),
      quote_approval_policy: params.quotePolicy,
    },
    media_attachments: media.map((attachment) => presentAttachment(config, attachment, row.accountId)),
    ...(failure === null ? {} : { failure }),
  }
}

function pollOf(
  poll: ScheduledFacts['row']['params']['poll'],
): NonNullable<ScheduledStatus['params']['poll']> | null {
  if (poll === undefined) return null
  const { options, expiresInSeconds, multiple, hideTotals } = poll
  return { options: [...options], expires_in: expiresInSeconds, multiple, hide_totals: hideTotals }
}

interface Translated {
  readonly content: string
  readonly spoilerText: string
  readonly poll: { readonly id: number; readonly options: readonly string[] } | null
  readonly media: readonly { readonly id: number; readonly description: string }[]
  readonly language: string
  readonly detected: string | null
  readonly provider: string
}

export function presentTranslation(translation: Translated): Translation {
  const { content, spoilerText, poll, media, language, detected, provider } = translation
  return {
    content,
    spoiler_text: spoilerText,
    language,
    provider,
    poll: poll && { id: String(poll.id), options: poll.options.map((title) => ({ title })) },
    media_attachments: media.map(({ id, description }) => ({ id: String(id), description })),
    detected_source_language: detected,
  }
}
