import * as z from 'zod'
import { Url } from '../scalars'

export const Reaction = z
  .strictObject({
    name: z.string(),
    count: z.int(),
    me: z.boolean().exactOptional(),
    url: Url.exactOptional(),
    static_url: Url.exactOptional(),
  })
  .meta({ id: 'Reaction' })
export type Reaction = z.infer<typeof Reaction>
