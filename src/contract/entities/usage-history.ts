import * as z from 'zod'
import { CountString, UnixTimeString } from '../scalars'

/** Uses of a hashtag, link or e-mail domain per day, newest first. */
export const UsageHistory = z.array(
  z.strictObject({
    day: UnixTimeString,
    accounts: CountString,
    uses: CountString,
  }),
)
export type UsageHistory = z.infer<typeof UsageHistory>
