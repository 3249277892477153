import * as z from 'zod'
import { IdString, Timestamp, Url } from '../../scalars'

/** A local custom emoji as staff sees it. Own entity: Mastodon manages emojis on pages only. */
export const AdminCustomEmoji = z
  .strictObject({
    id: IdString,
    shortcode: z.string(),
    url: Url,
    static_url: Url,
    category: z.string().nullable(),
    visible_in_picker: z.boolean(),
    disabled: z.boolean(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareCustomEmoji' })
export type AdminCustomEmoji = z.infer<typeof AdminCustomEmoji>
