import type { InteractionPolicy, LikePolicy, QuotePolicy, Visibility } from '../../../db/schema/statuses'
import type {
  ApprovalAction,
  AttachmentMeta,
  AttachmentType,
  EmojiSnapshot,
  StatusTag,
} from '../../../db/values'

/** A sanitised remote status, as its own document describes it: HTML cleaned, addresses checked, lengths cut. */
export interface RemoteStatus {
  readonly uri: string
  readonly url: string | null
  /** Actor it is attributed to, which has to be on the host of `uri`. */
  readonly author: string
  readonly visibility: Visibility
  readonly content: string
  readonly spoilerText: string
  readonly sensitive: boolean
  /** A code of `lib/language`, or null. */
  readonly language: string | null
  readonly inReplyTo: string | null
  /** Clamped to now. */
  readonly publishedAt: Date
  readonly editedAt: Date | null
  /**
   * Ids or pages of actors in Mention tags, then of other recipients in `to` and `cc`, without duplicates, at most 1,000.
   * `mentionedAccounts` looks up fewer.
   */
  readonly mentioned: readonly string[]
  /** Addresses among `mentioned` that only `to`/`cc` name: they may see it and are not notified. */
  readonly silent: readonly string[]
  readonly tags: readonly StatusTag[]
  readonly emojis: readonly EmojiSnapshot[]
  readonly attachments: readonly RemoteAttachment[]
  /** Address of the page whose preview it has; null: the first link of its text. */
  readonly attachedPage: string | null
  /** Ids of linked account collections. */
  readonly collections: readonly string[]
  readonly poll: RemotePoll | null
  readonly quote: RemoteQuote | null
  readonly repliesUri: string | null
  /** Address of the thread it belongs to (FEP-7888), on any host. */
  readonly contextUri: string | null
  /** Counts reported by its server, not trustworthy; null if not reported. */
  readonly favouritesCount: number | null
  readonly reblogsCount: number | null
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
  readonly likePolicy: LikePolicy
  readonly askedFirst: readonly ApprovalAction[]
}

export interface RemoteAttachment {
  readonly type: AttachmentType
  readonly url: string
  readonly previewUrl: string | null
  readonly description: string | null
  readonly blurhash: string | null
  readonly meta: AttachmentMeta
}

export interface RemotePoll {
  readonly options: readonly string[]
  readonly tallies: readonly number[]
  readonly multiple: boolean
  readonly votersCount: number | null
  readonly expiresAt: Date | null
  readonly closedAt: Date | null
}

export interface RemoteQuote {
  readonly uri: string
  /** Authorization by the quoted author (FEP-044f); null if none is named. */
  readonly authorization: string | null
  /** True for quote properties without consent, older than FEP-044f. */
  readonly legacy: boolean
  /** Set if the quoted status was deleted; then `uri` is empty. */
  readonly gone?: true
}

/**
 * Stored form of the address of a replies collection: without the URI of its status where it begins with that, as it
 * does nearly always. Saves a tenth of what a short status takes in the database.
 */
export function shortenRepliesUri(uri: string, repliesUri: string | null): string | null {
  const rest = repliesUri?.startsWith(uri) === true ? repliesUri.slice(uri.length) : ''
  return isRelative(rest) ? rest : repliesUri
}

/** Address of a replies collection by its stored form. Rows of earlier versions have the whole of it. */
export function expandRepliesUri(uri: string, stored: string): string {
  return isRelative(stored) ? `${uri}${stored}` : stored
}

const isRelative = (address: string) => address.startsWith('/') || address.startsWith('?')
