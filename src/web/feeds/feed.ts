/** Posts as feed readers take them, before they are written as RSS or Atom. */
export interface Feed {
  readonly title: string
  readonly description: string
  /** The page that shows the same to people. */
  readonly url: string
  /** The address of the feed itself. */
  readonly selfUrl: string
  readonly imageUrl: string
  readonly updatedAt: Date
  /** Null where the posts are by many. */
  readonly author: FeedAuthor | null
  readonly generator: { readonly name: string; readonly version: string; readonly url: string }
  readonly entries: readonly FeedEntry[]
}

export interface FeedAuthor {
  readonly name: string
  /** `@name@host` */
  readonly handle: string
  readonly url: string
}

export interface FeedEntry {
  /** Never changes: what readers know an entry by. */
  readonly id: string
  readonly url: string
  /** Title in a single line; with a content warning it says no more than that. */
  readonly title: string
  /** Sanitised. */
  readonly html: string
  readonly language: string | null
  readonly author: FeedAuthor
  readonly publishedAt: Date
  readonly updatedAt: Date
  readonly tags: readonly string[]
  readonly media: readonly FeedMedia[]
  readonly isSensitive: boolean
}

export interface FeedMedia {
  readonly url: string
  readonly mime: string
  /** Size of the file; null where it is unknown. */
  readonly bytes: number | null
  readonly medium: 'image' | 'video' | 'audio' | 'document'
  readonly description: string
  readonly previewUrl: string | null
  readonly width: number | null
  readonly height: number | null
}

export type FeedFormat = 'rss' | 'atom'
