import * as z from 'zod'
import { Html, IdString, Timestamp, Url } from '../scalars'
import { CustomEmoji, Reaction } from './custom-emoji'
import { StatusTag } from './status'

export const AnnouncementAccount = z
  .strictObject({
    id: IdString,
    username: z.string(),
    url: Url,
    acct: z.string(),
  })
  .meta({ id: 'AnnouncementAccount' })

export const AnnouncementStatus = z
  .strictObject({
    id: IdString,
    url: Url,
  })
  .meta({ id: 'AnnouncementStatus' })

export const Announcement = z
  .strictObject({
    id: IdString,
    content: Html,
    starts_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    all_day: z.boolean(),
    published_at: Timestamp.nullable(),
    updated_at: Timestamp,
    read: z.boolean().exactOptional(),
    mentions: z.array(AnnouncementAccount),
    statuses: z.array(AnnouncementStatus),
    tags: z.array(StatusTag),
    emojis: z.array(CustomEmoji),
    reactions: z.array(Reaction),
  })
  .meta({ id: 'Announcement' })
export type Announcement = z.infer<typeof Announcement>
