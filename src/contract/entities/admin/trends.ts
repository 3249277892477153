import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { quoteOrNull, Status, statusOrNull, TrendsLink } from '../status'
import { Tag } from '../tag'

export const AdminTag = Tag.extend({
  trendable: z.boolean(),
  usable: z.boolean(),
  requires_review: z.boolean(),
  listable: z.boolean(),
}).meta({ id: 'AdminTag' })
export type AdminTag = z.infer<typeof AdminTag>

export const AdminTrendsLink = TrendsLink.extend({
  // Mastodon sends a number.
  id: z.union([IdString, z.int()]),
  requires_review: z.boolean(),
}).meta({ id: 'AdminTrendsLink' })
export type AdminTrendsLink = z.infer<typeof AdminTrendsLink>

export const AdminTrendsStatus = Status.extend({
  reblog: statusOrNull(),
  quote: quoteOrNull(),
  requires_review: z.boolean(),
}).meta({ id: 'AdminTrendsStatus' })
export type AdminTrendsStatus = z.infer<typeof AdminTrendsStatus>

export const AdminPreviewCardProvider = z
  .strictObject({
    // Mastodon sends a number.
    id: z.union([IdString, z.int()]),
    domain: z.string(),
    // Null until a moderator decided.
    trendable: z.boolean().nullable(),
    reviewed_at: Timestamp.nullable(),
    requested_review_at: Timestamp.nullable(),
    requires_review: z.boolean(),
  })
  .meta({ id: 'AdminPreviewCardProvider' })
export type AdminPreviewCardProvider = z.infer<typeof AdminPreviewCardProvider>

const line = z.strictObject({
  /** Name of the hashtag, id of the status, URL of the page. */
  key: z.string(),
  /** Author of the status, host of the page. */
  of: z.string().nullable(),
  shown: z.boolean(),
  reviewed: z.boolean(),
  words: z.string().nullable(),
})

/** Lists of all that trends, or would if it were allowed. Own entity. */
export const AdminTrendLines = z
  .strictObject({ tags: z.array(line), statuses: z.array(line), links: z.array(line) })
  .meta({ id: 'FieldfareTrendLines' })
