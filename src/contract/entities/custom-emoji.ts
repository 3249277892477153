import * as z from 'zod'
import { Url } from '../scalars'

export const CustomEmoji = z
  .strictObject({
    shortcode: z.string(),
    url: Url,
    static_url: Url,
    visible_in_picker: z.boolean(),
    category: z.string().nullable().exactOptional(),
    featured: z.boolean().exactOptional(),
  })
  .meta({ id: 'CustomEmoji' })
export type CustomEmoji = z.infer<typeof CustomEmoji>

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
