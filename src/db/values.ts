/** Shapes of JSON columns: values that are only ever read with their row. */

/**
 * A file: a local one in the media store by key, or a remote one by URL. `still` is the static form of an
 * animated picture.
 */
export type FileRef =
  | { readonly key: string; readonly still?: string }
  | { readonly remote: string; readonly still?: string }

/** A custom emoji as it was when the text that names it was written. */
export interface EmojiSnapshot {
  readonly shortcode: string
  readonly image: FileRef
  /** URI on its own server; kept for reactions alone, which are federated. */
  readonly uri?: string
}

/**
 * Emoji reaction to a status, and the number of accounts that chose it. `emoji` is the picture of a custom emoji.
 */
export interface ReactionCount {
  readonly name: string
  readonly count: number
  readonly emoji?: EmojiSnapshot | null
}

/**
 * A row of the profile table: `value` as typed, `html` as shown, `verifiedAt` in milliseconds when the link
 * points back.
 */
export interface ProfileField {
  readonly name: string
  readonly value: string
  readonly html: string
  readonly verifiedAt: number | null
}

export type AttachmentType = 'image' | 'gifv' | 'video' | 'audio' | 'unknown'

export interface Dimensions {
  readonly width?: number
  readonly height?: number
  readonly size?: string
  readonly aspect?: number
  readonly frame_rate?: string
  readonly duration?: number
  readonly bitrate?: number
}

/** Mastodon's `meta`, stored in API form because only clients read it. */
export interface AttachmentMeta {
  readonly original?: Dimensions
  readonly small?: Dimensions
  readonly focus?: { readonly x: number; readonly y: number }
}

/** A media attachment as stored in its status. */
export interface Attachment {
  readonly id: number
  readonly type: AttachmentType
  readonly file: FileRef
  /** Size of the file; absent where it is unknown: of remote ones, and in older statuses. */
  readonly bytes?: number
  readonly preview: FileRef | null
  readonly description: string | null
  readonly blurhash: string | null
  readonly meta: AttachmentMeta
}

/**
 * An account mentioned in a status. Its fields never change. `uri` is the actor id of a remote account; where
 * it was not kept, `url` is used instead.
 */
export interface Mention {
  readonly uri?: string
  readonly id: number
  readonly username: string
  readonly domain: string | null
  readonly url: string
  /** Creation time of the version that first mentioned the account, unless that is the first version. */
  readonly since?: number
}

/** Accounts that may feature an account in their collections, as Mastodon names them. */
export type Featurer = 'public' | 'followers' | 'following' | 'unsupported_policy'

/** Accounts approved automatically, and those that need the account's approval. */
export interface FeaturePolicy {
  readonly automatic: readonly Featurer[]
  readonly manual: readonly Featurer[]
}

/** Statistics of an account's year, counted from its statuses. */
export interface AnnualStats {
  readonly archetype: 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle'
  /** New statuses and new followers of each month from January on that is over or has begun. */
  readonly months: readonly {
    readonly month: number
    readonly statuses: number
    readonly followers: number
  }[]
  readonly topTag: { readonly name: string; readonly count: number } | null
  readonly topStatusId: number | null
}

/** A hashtag of a status: `name` normalised, `display` as typed. */
export interface StatusTag {
  readonly name: string
  readonly display: string
}

/** Preview of a page, as shown under a status that links to it. Every text is plain but `html`. */
export interface Card {
  /** Canonical URL of the page. */
  readonly url: string
  /** The address the status links to, if different. */
  readonly link?: string
  readonly title: string
  readonly description: string
  readonly type: 'link' | 'photo' | 'video'
  readonly authorName: string
  readonly authorUrl: string
  readonly providerName: string
  readonly providerUrl: string
  /** Generated iframe of a player, safe to embed; empty without a player. */
  readonly html: string
  readonly width: number
  readonly height: number
  readonly image: FileRef | null
  readonly imageDescription: string
  readonly blurhash: string | null
  /** The picture that is the content of a `photo`. */
  readonly photo: FileRef | null
  readonly language: string | null
  /** In milliseconds. */
  readonly publishedAt: number | null
  /** Account the page names as its author, not necessarily with consent (see `isAttributable`). */
  readonly creatorId: number | null
}

/** Interactions that a remote author allows only after approval. */
export type ApprovalAction = 'reply' | 'reblog' | 'favourite'

/** Approval of a reply, a reblog or a favourite by the author of the other status. */
export interface Approval {
  readonly state: 'pending' | 'accepted' | 'rejected'
  /** URI of the authorization on the author's server. */
  readonly uri: string | null
  /** URI of an Accept that named no authorization and is the proof itself (GoToSocial before 0.21). */
  readonly accept?: string
  /** Visibility after approval; until then only the two accounts see it. Null once it is published. */
  readonly held: 'public' | 'unlisted' | 'private' | 'direct' | null
}
