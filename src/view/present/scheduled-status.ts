import type { Config } from '../../config'
import type { ScheduledStatus } from '../../contract/entities/scheduled-status'
import type { scheduledStatuses } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { Attachment } from '../../db/values'
import { presentAttachment } from './media'
import { timestamp } from './time'

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
      in_reply_to_id: textOrNull(params.inReplyToId),
      language: params.language ?? null,
      application_id: textOrNull(row.applicationId),
      scheduled_at: null,
      idempotency: row.idempotencyKey,
      with_rate_limit: false,
      quoted_status_id: textOrNull(params.quotedId),
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

function textOrNull(id: number | null | undefined): string | null {
  return id == null ? null : String(id)
}
