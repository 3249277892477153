/** The shapes kept in JSON columns: what is only ever read with its row. */

/** A file: ours in the media store by key, or another server's by URL. `still` is the unmoving form of an animated picture. */
export type FileRef =
  | { readonly key: string; readonly still?: string }
  | { readonly remote: string; readonly still?: string }

/** A custom emoji as it was when the text that names it was written. */
export interface EmojiSnapshot {
  readonly shortcode: string
  readonly image: FileRef
  /** What its own server calls it; kept for reactions alone, which are passed on. */
  readonly uri?: string
}

/** One kind of reaction to a status, and how many people chose it. `emoji` is the picture of a custom one. */
export interface ReactionCount {
  readonly name: string
  readonly count: number
  readonly emoji?: EmojiSnapshot | null
}

/** A row of the profile table: `value` as typed, `html` as shown, `verifiedAt` in milliseconds when the link points back. */
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

/** Mastodon's `meta`, kept in the wire's own form because only clients read it. */
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
  readonly preview: FileRef | null
  readonly description: string | null
  readonly blurhash: string | null
  readonly meta: AttachmentMeta
}

/**
 * Somebody named in a status. Nothing of it ever changes for an account. `uri` is the actor id of people of other
 * servers; where it was not kept, their page has to do.
 */
export interface Mention {
  readonly uri?: string
  readonly id: number
  readonly username: string
  readonly domain: string | null
  readonly url: string
  /** The version (when it was made) that named them first, where that is not the first of all. */
  readonly since?: number
}

/** Who may put an account into their collections, as Mastodon calls them. */
export type Featurer = 'public' | 'followers' | 'following' | 'unsupported_policy'

/** Those whose asking is granted at once, and those whom the account considers. */
export interface FeaturePolicy {
  readonly automatic: readonly Featurer[]
  readonly manual: readonly Featurer[]
}

/** What somebody did in a year, as counted from their statuses. */
export interface AnnualStats {
  readonly archetype: 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle'
  /** Of each month from January on that is over or begun: new statuses and new followers. */
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

/** What a page says of itself, as shown under a status that links to it. All texts are plain but for `html`. */
export interface Card {
  /** What the page calls its own address. */
  readonly url: string
  /** The address the status links to, where that is another. */
  readonly link?: string
  readonly title: string
  readonly description: string
  readonly type: 'link' | 'photo' | 'video'
  readonly authorName: string
  readonly authorUrl: string
  readonly providerName: string
  readonly providerUrl: string
  /** Our own markup of a player, safe as it is; empty where there is none. */
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
  /** Whom the page names as its author; they may not agree (see `isAttributable`). */
  readonly creatorId: number | null
}

/** What the author of another server lets people do only once they agree. */
export type ApprovalAction = 'reply' | 'reblog'

/** Whether the author of a status agrees to an answer or a reblog. */
export interface Approval {
  readonly state: 'pending' | 'accepted' | 'rejected'
  /** Address of the consent on the server of that author. */
  readonly uri: string | null
  /** The visibility it gets once they agree; until then only the two of them see it. Null once it is published. */
  readonly held: 'public' | 'unlisted' | 'private' | 'direct' | null
}
