import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { MediaAttachment } from './media-attachment'
import { QuotePolicy, Visibility } from './visibility'

// Parameters are returned as the client sent them, so numbers and booleans may be text.
const SentInteger = z.union([z.int(), z.string()])
const SentBoolean = z.union([z.boolean(), z.string()]).nullable()

const ScheduledPoll = z.strictObject({
  options: z.array(z.string()),
  expires_in: SentInteger,
  multiple: SentBoolean.exactOptional(),
  hide_totals: SentBoolean.exactOptional(),
})

export const ScheduledStatus = z
  .strictObject({
    id: IdString,
    scheduled_at: Timestamp,
    params: z.strictObject({
      text: z.string(),
      poll: ScheduledPoll.nullable().exactOptional(),
      media_ids: z.array(IdString).nullable().exactOptional(),
      sensitive: SentBoolean.exactOptional(),
      spoiler_text: z.string().nullable().exactOptional(),
      visibility: Visibility.nullable(),
      in_reply_to_id: SentInteger.nullable(),
      language: z.string().nullable().exactOptional(),
      application_id: SentInteger.nullable().exactOptional(),
      scheduled_at: z.null().exactOptional(),
      idempotency: z.string().nullable().exactOptional(),
      with_rate_limit: z.boolean().exactOptional(),
      quoted_status_id: IdString.nullable(),
      quote_approval_policy: QuotePolicy,
    }),
    media_attachments: z.array(MediaAttachment),
    // An extension: the reason publishing failed. A new time schedules it again.
    failure: z.string().exactOptional(),
  })
  .meta({ id: 'ScheduledStatus' })
export type ScheduledStatus = z.infer<typeof ScheduledStatus>
