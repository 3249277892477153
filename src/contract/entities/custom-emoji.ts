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
