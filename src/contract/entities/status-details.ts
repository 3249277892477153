import * as z from 'zod'
import { Html, IdString, Timestamp } from '../scalars'
import { Account } from './account'
import { CustomEmoji } from './custom-emoji'
import { MediaAttachment, quoteOrNull, Status } from './status'
import { QuotePolicy, Visibility } from './visibility'

export const Context = z
  .strictObject({
    ancestors: z.array(Status),
    descendants: z.array(Status),
  })
  .meta({ id: 'Context' })

export const StatusEdit = z
  .strictObject({
    content: Html,
    spoiler_text: Html,
    sensitive: z.boolean(),
    created_at: Timestamp,
    account: Account,
    poll: z.strictObject({ options: z.array(z.strictObject({ title: z.string() })) }).exactOptional(),
    media_attachments: z.array(MediaAttachment),
    emojis: z.array(CustomEmoji),
    quote: quoteOrNull().exactOptional(),
  })
  .meta({ id: 'StatusEdit' })
export type StatusEdit = z.infer<typeof StatusEdit>

export const StatusSource = z
  .strictObject({
    id: IdString,
    text: z.string(),
    spoiler_text: z.string(),
  })
  .meta({ id: 'StatusSource' })

export const TranslationPollOption = z
  .strictObject({
    title: z.string(),
  })
  .meta({ id: 'TranslationPollOption' })

export const TranslationPoll = z
  .strictObject({
    id: IdString,
    options: z.array(TranslationPollOption),
  })
  .meta({ id: 'TranslationPoll' })

export const TranslationAttachment = z
  .strictObject({
    id: IdString,
    description: z.string().nullable(),
  })
  .meta({ id: 'TranslationAttachment' })

export const Translation = z
  .strictObject({
    content: Html,
    spoiler_text: z.string(),
    language: z.string().nullable(),
    poll: TranslationPoll.nullable().exactOptional(),
    media_attachments: z.array(TranslationAttachment),
    detected_source_language: z.string().nullable(),
    provider: z.string(),
  })
  .meta({ id: 'Translation' })
export type Translation = z.infer<typeof Translation>

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

export const AsyncRefresh = z
  .strictObject({
    id: z.string(),
    status: z.enum(['running', 'finished']),
    result_count: z.int().nullable(),
  })
  .meta({ id: 'AsyncRefresh' })
