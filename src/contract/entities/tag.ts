import * as z from 'zod'
import { CalendarDate, CountString, IdString, UnixTimeString, Url } from '../scalars'

/** Uses of a hashtag, link or e-mail domain per day, newest first. */
export const UsageHistory = z.array(
  z.strictObject({
    day: UnixTimeString,
    accounts: CountString,
    uses: CountString,
  }),
)
export type UsageHistory = z.infer<typeof UsageHistory>

export const Tag = z
  .strictObject({
    id: IdString,
    name: z.string(),
    url: Url,
    history: UsageHistory,
    following: z.boolean().exactOptional(),
    featuring: z.boolean().exactOptional(),
  })
  .meta({ id: 'Tag' })
export type Tag = z.infer<typeof Tag>

export const ShallowTag = z
  .strictObject({
    name: z.string(),
    url: Url,
  })
  .meta({ id: 'ShallowTag' })

export const FeaturedTag = z
  .strictObject({
    id: IdString,
    name: z.string(),
    url: Url,
    statuses_count: CountString,
    last_status_at: CalendarDate.nullable(),
  })
  .meta({ id: 'FeaturedTag' })
export type FeaturedTag = z.infer<typeof FeaturedTag>
