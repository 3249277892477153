import * as z from 'zod'
import { Html, Timestamp, Url } from '../scalars'
import { Account } from './account'
import { UsageHistory } from './usage-history'

export const PreviewCardAuthor = z
  .strictObject({
    name: z.string(),
    // Empty when the page names no address.
    url: z.string(),
    account: Account.nullable(),
  })
  .meta({ id: 'PreviewCardAuthor' })
export type PreviewCardAuthor = z.infer<typeof PreviewCardAuthor>

export const PreviewCard = z
  .strictObject({
    url: Url,
    title: z.string(),
    description: z.string(),
    type: z.enum(['link', 'photo', 'video', 'rich']),
    authors: z.array(PreviewCardAuthor),
    author_name: z.string(),
    author_url: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    html: Html,
    width: z.int(),
    height: z.int(),
    image: Url.nullable(),
    image_description: z.string(),
    embed_url: z.string(),
    blurhash: z.string().nullable(),
    language: z.string().nullable(),
    published_at: Timestamp.nullable(),
    missing_attribution: z.boolean().exactOptional(),
  })
  .meta({ id: 'PreviewCard' })
export type PreviewCard = z.infer<typeof PreviewCard>

export const TrendsLink = PreviewCard.extend({ history: UsageHistory }).meta({ id: 'TrendsLink' })
export type TrendsLink = z.infer<typeof TrendsLink>
