import * as z from 'zod'
import { CalendarDate, Timestamp } from '../../scalars'

const termsKeys = z.strictObject({
  effective_date: CalendarDate,
  // Whether it is or was in force.
  effective: z.boolean(),
  succeeded_by: CalendarDate.nullable(),
  published_at: Timestamp,
  // Summary of the changes, in Markdown; empty where there is none.
  changelog: z.string(),
  characters: z.int(),
  // Time at which members were told; null where they were not.
  notification_sent_at: Timestamp.nullable(),
  // Mails about it so far, and the time at which the last one was sent.
  notification_mails: z.int(),
  notification_finished_at: Timestamp.nullable(),
})

/** A version of the terms of service. Own entity: Mastodon manages these on pages only. */
export const AdminTerms = termsKeys.meta({ id: 'FieldfareTerms' })
export type AdminTerms = z.infer<typeof AdminTerms>

/** A version with its text in Markdown. */
export const AdminTermsWithText = termsKeys
  .extend({ text: z.string() })
  .meta({ id: 'FieldfareTermsWithText' })
export type AdminTermsWithText = z.infer<typeof AdminTermsWithText>
