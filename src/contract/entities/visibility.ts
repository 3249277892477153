import * as z from 'zod'

export const Visibility = z.enum(['public', 'unlisted', 'private', 'direct'])
export type Visibility = z.infer<typeof Visibility>

export const QuotePolicy = z.enum(['public', 'followers', 'nobody'])
export type QuotePolicy = z.infer<typeof QuotePolicy>

/** An extension: interaction policy for replies to or reblogs of a status. */
export const InteractionPolicy = z.enum(['public', 'followers', 'mentioned'])
export type InteractionPolicy = z.infer<typeof InteractionPolicy>
