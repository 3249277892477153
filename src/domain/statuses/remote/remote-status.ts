import type { InteractionPolicy, QuotePolicy, Visibility } from '../../../db/schema/statuses'
import type {
  ApprovalAction,
  AttachmentMeta,
  AttachmentType,
  EmojiSnapshot,
  StatusTag,
} from '../../../db/values'

/** A post of another server as its own document tells, tamed: HTML sanitised, addresses checked, lengths cut. */
export interface RemoteStatus {
  readonly uri: string
  readonly url: string | null
  /** The actor it is attributed to, who has to be on the host of `uri`. */
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
  /** Actor ids of Mention tags and of everybody else addressed by `to` and `cc`, each once, at most 100. */
  readonly mentioned: readonly string[]
  /** Those among `mentioned` that only `to`/`cc` name: they may see it and are not told. */
  readonly silent: readonly string[]
  readonly tags: readonly StatusTag[]
  readonly emojis: readonly EmojiSnapshot[]
  readonly attachments: readonly RemoteAttachment[]
  /** Ids of the collections of accounts it links. */
  readonly collections: readonly string[]
  readonly poll: RemotePoll | null
  readonly quote: RemoteQuote | null
  readonly repliesUri: string | null
  /** What its own server counts, which may be made up; null where it does not tell. */
  readonly favouritesCount: number | null
  readonly reblogsCount: number | null
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
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
  /** The consent of the quoted author (FEP-044f); null where none is named. */
  readonly authorization: string | null
  /** Said in words that know no consent. */
  readonly legacy: boolean
  /** What was quoted is no more; then `uri` is empty. */
  readonly gone?: true
}
