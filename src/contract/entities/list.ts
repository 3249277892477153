import * as z from 'zod'
import { IdString } from '../scalars'

export const RepliesPolicy = z.enum(['followed', 'list', 'none'])
export type RepliesPolicy = z.infer<typeof RepliesPolicy>

export const List = z
  .strictObject({
    id: IdString,
    title: z.string(),
    replies_policy: RepliesPolicy,
    exclusive: z.boolean(),
  })
  .meta({ id: 'List' })
export type List = z.infer<typeof List>
