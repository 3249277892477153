import * as z from 'zod'
import { Flag, Int } from '../../contract/scalars'
import type { PollDraft } from '../../domain/statuses/draft'

/** Clients send blank form fields and null for values left to the server. */
export function orNothing<S extends z.ZodType>(schema: S) {
  return z.preprocess((sent) => (sent === '' || sent === null ? undefined : sent), schema.optional())
}

// A list with duplicates: equal options have to be refused, not merged.
const Options = z.preprocess(
  (sent) => (sent === undefined || Array.isArray(sent) ? sent : [sent]),
  z.array(z.union([z.string(), z.number()]).transform(String)).default([]),
)

/** A poll as clients send it. */
export const PollInput = z.object({
  options: Options,
  expires_in: Int,
  multiple: Flag.default(false),
  hide_totals: Flag.default(false),
})

export function pollDraft(poll: z.output<typeof PollInput>): PollDraft {
  return {
    options: poll.options,
    expiresInSeconds: poll.expires_in,
    multiple: poll.multiple,
    hideTotals: poll.hide_totals,
  }
}
