import * as z from 'zod'
import { Html, IdString, Timestamp, Url } from '../scalars'
import { Account, QuoteApproval } from './account'
import { Collection } from './collection'
import { CustomEmoji, Reaction } from './custom-emoji'
import { FilterResult } from './filter'
import { UsageHistory } from './tag'
import { InteractionPolicy, Visibility } from './visibility'

export const PollOption = z
  .strictObject({
    title: z.string(),
    votes_count: z.int().nullable(),
  })
  .meta({ id: 'PollOption' })

export const Poll = z
  .strictObject({
    id: IdString,
    expires_at: Timestamp.nullable(),
    expired: z.boolean(),
    multiple: z.boolean(),
    votes_count: z.int(),
    voters_count: z.int().nullable(),
    options: z.array(PollOption),
    emojis: z.array(CustomEmoji),
    voted: z.boolean().exactOptional(),
    own_votes: z.array(z.int()).exactOptional(),
  })
  .meta({ id: 'Poll' })
export type Poll = z.infer<typeof Poll>

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

/** Dimensions and timing of one rendition; the keys present depend on the type of media. */
const Rendition = z.strictObject({
  width: z.int().exactOptional(),
  height: z.int().exactOptional(),
  size: z.string().exactOptional(),
  aspect: z.number().exactOptional(),
  frame_rate: z.string().exactOptional(),
  duration: z.number().exactOptional(),
  bitrate: z.int().exactOptional(),
})

export const MediaAttachment = z
  .strictObject({
    id: IdString,
    type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
    url: Url.nullable(),
    preview_url: Url.nullable(),
    remote_url: Url.nullable(),
    preview_remote_url: Url.nullable().exactOptional(),
    // The name that Mastodon's code has for `preview_remote_url`.
    thumbnail_remote_url: Url.nullable().exactOptional(),
    // Null: files have no pages of their own here.
    text_url: Url.nullable().exactOptional(),
    meta: z
      .strictObject({
        focus: z
          .strictObject({ x: z.number().nullable(), y: z.number().nullable() })
          .nullable()
          .exactOptional(),
        original: Rendition.exactOptional(),
        small: Rendition.exactOptional(),
      })
      .nullable(),
    description: z.string().nullable(),
    blurhash: z.string().nullable(),
  })
  .meta({ id: 'MediaAttachment' })
export type MediaAttachment = z.infer<typeof MediaAttachment>

export const StatusMention = z
  .strictObject({
    id: IdString,
    username: z.string(),
    url: Url,
    acct: z.string(),
  })
  .meta({ id: 'StatusMention' })

export const StatusTag = z
  .strictObject({
    name: z.string(),
    url: Url,
  })
  .meta({ id: 'StatusTag' })

export const QuoteState = z.enum([
  'pending',
  'accepted',
  'rejected',
  'revoked',
  'deleted',
  'unauthorized',
  'blocked_account',
  'blocked_domain',
  'muted_account',
])
export type QuoteState = z.infer<typeof QuoteState>

export const ShallowQuote = z
  .strictObject({
    state: QuoteState,
    quoted_status_id: IdString.nullable(),
  })
  .meta({ id: 'ShallowQuote' })
export type ShallowQuote = z.infer<typeof ShallowQuote>

const statusKeys = z.strictObject({
  id: IdString,
  uri: z.string(),
  created_at: Timestamp,
  account: Account,
  content: Html,
  visibility: Visibility,
  sensitive: z.boolean(),
  spoiler_text: z.string(),
  media_attachments: z.array(MediaAttachment),
  application: z.strictObject({ name: z.string(), website: Url.nullable() }).exactOptional(),
  mentions: z.array(StatusMention),
  tags: z.array(StatusTag),
  emojis: z.array(CustomEmoji),
  reblogs_count: z.int(),
  favourites_count: z.int(),
  quotes_count: z.int(),
  replies_count: z.int(),
  url: Url.nullable(),
  in_reply_to_id: IdString.nullable(),
  in_reply_to_account_id: IdString.nullable(),
  poll: Poll.nullable(),
  card: PreviewCard.nullable(),
  language: z.string().nullable(),
  text: z.string().nullable().exactOptional(),
  edited_at: Timestamp.nullable(),
  quote_approval: QuoteApproval,
  favourited: z.boolean().exactOptional(),
  reblogged: z.boolean().exactOptional(),
  muted: z.boolean().exactOptional(),
  bookmarked: z.boolean().exactOptional(),
  pinned: z.boolean().exactOptional(),
  filtered: z.array(FilterResult).exactOptional(),
  tagged_collections: z.array(Collection),
  /** An extension, in the form Glitch gives it. Absent without reactions. */
  reactions: z.array(Reaction).exactOptional(),
  /** An extension: visible to local users only. Absent otherwise. */
  local_only: z.literal(true).exactOptional(),
  /** Extensions: interaction policies for replies and reblogs. Absent where public. */
  reply_policy: InteractionPolicy.exactOptional(),
  reblog_policy: InteractionPolicy.exactOptional(),
  /**
   * An extension, for the author alone: approval by the author of the status replied to or reblogged. Until it is
   * given, other viewers do not see the status. Absent if no approval is needed, or once it is given.
   */
  approval: z.enum(['pending', 'rejected']).exactOptional(),
})

// Interfaces, because TypeScript infers self-references inside one inferred type differently per use.
export interface Status extends z.infer<typeof statusKeys> {
  reblog: Status | null
  /** A `Quote` at the first level, a `ShallowQuote` inside a quoted status. */
  quote: Quote | ShallowQuote | null
}

export interface Quote {
  state: QuoteState
  quoted_status: Status | null
}

// A schema per use: shared inside a cycle it would become a nameless definition in the OpenAPI document.
export function statusOrNull() {
  return z.lazy((): z.ZodType<Status, Status> => Status).nullable()
}

export function quoteOrNull() {
  return z.union([Quote, ShallowQuote]).nullable()
}

export const Quote = z
  .strictObject({
    state: QuoteState,
    quoted_status: statusOrNull(),
  })
  .meta({ id: 'Quote' })

export const Status = statusKeys
  .extend({
    reblog: statusOrNull(),
    quote: quoteOrNull(),
  })
  .meta({ id: 'Status' })

/** Response to DELETE: the source text stands in for the content, so that clients can offer a redraft. */
export const DeletedStatus = Status.omit({ content: true })
  .extend({ text: z.string().nullable(), reblog: statusOrNull(), quote: quoteOrNull() })
  .meta({ id: 'DeletedStatus' })
