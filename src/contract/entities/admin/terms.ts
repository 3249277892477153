import * as z from 'zod'
import { CalendarDate, Timestamp } from '../../scalars'

const termsKeys = z.strictObject({
  effective_date: CalendarDate,
  // Whether it is or was in force.
  effective: z.boolean(),
  succeeded_by: CalendarDate.nullable(),
  published_at: Timestamp,
  characters: z.int(),
})

/** A version of the terms of service. Own entity: Mastodon manages these on pages only. */
export const AdminTerms = termsKeys.meta({ id: 'FieldfareTerms' })
export type AdminTerms = z.infer<typeof AdminTerms>

/** A version with its text in Markdown. */
export const AdminTermsWithText = termsKeys
  .extend({ text: z.string() })
  .meta({ id: 'FieldfareTermsWithText' })
export type AdminTermsWithText = z.infer<typeof AdminTermsWithText>
