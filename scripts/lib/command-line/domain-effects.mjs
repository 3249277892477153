// Effects of limits on other servers, as they are shown before an act.
import * as z from 'zod'

export const Effects = z.object({
  accounts_count: z.int(),
  following_count: z.int(),
  followers_count: z.int(),
  complete: z.boolean(),
})

/** A limit as lists of limits contain it. */
export const Listed = z.object({
  domain: z.string(),
  severity: z.string(),
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  obfuscate: z.boolean(),
  public_comment: z.string().nullable(),
})

export function effectsOf({ accounts_count, following_count, followers_count, complete }) {
  const most = complete ? '' : 'at least '
  return `${most}${accounts_count} accounts known here, ${following_count} follows by members, ${followers_count} of members`
}
