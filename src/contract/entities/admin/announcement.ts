import * as z from 'zod'
import { Html, IdString, Timestamp } from '../../scalars'

/** An announcement as staff sees it. Own entity: Mastodon manages announcements on pages only. */
export const AdminAnnouncement = z
  .strictObject({
    id: IdString,
    // As typed.
    text: z.string(),
    content: Html,
    state: z.enum(['draft', 'scheduled', 'published', 'over']),
    starts_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    all_day: z.boolean(),
    // Of a scheduled announcement the time to come; null for a draft.
    published_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareAnnouncement' })
export type AdminAnnouncement = z.infer<typeof AdminAnnouncement>
