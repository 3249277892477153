import * as z from 'zod'
import { CalendarDate, Html, Timestamp } from '../scalars'

export const ExtendedDescription = z
  .strictObject({
    // Null if the text was never written.
    updated_at: Timestamp.nullable(),
    content: Html,
  })
  .meta({ id: 'ExtendedDescription' })
export type ExtendedDescription = z.infer<typeof ExtendedDescription>

export const PrivacyPolicy = z
  .strictObject({
    updated_at: Timestamp,
    content: Html,
  })
  .meta({ id: 'PrivacyPolicy' })
export type PrivacyPolicy = z.infer<typeof PrivacyPolicy>

export const TermsOfService = z
  .strictObject({
    // The time of publication where no day was set.
    effective_date: z.union([CalendarDate, Timestamp]),
    effective: z.boolean(),
    content: Html,
    succeeded_by: CalendarDate.nullable(),
  })
  .meta({ id: 'TermsOfService' })
export type TermsOfService = z.infer<typeof TermsOfService>
