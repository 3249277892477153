import * as z from 'zod'
import { CalendarDate, CountString, IdString, Url } from '../scalars'
import { UsageHistory } from './usage-history'

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
export type ShallowTag = z.infer<typeof ShallowTag>

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
