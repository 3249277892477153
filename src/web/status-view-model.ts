import type { TextKey } from '../lib/translate'
import type { Emojis } from './emojis'

export interface AuthorView {
  readonly name: string
  readonly emojis: Emojis
  /** `@name@host` */
  readonly handle: string
  readonly url: string
  readonly avatarUrl: string
}

export interface MediaView {
  /** `unknown`: nothing a page can show; it links to the file. */
  readonly kind: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  readonly url: string
  /** Null if missing, or only colours drawn in its place. */
  readonly previewUrl: string | null
  readonly description: string
  readonly width: number | null
  readonly height: number | null
}

export interface PollView {
  /** Votes are null as long as they are kept secret. */
  readonly options: readonly { readonly title: string; readonly votes: number | null }[]
  readonly votes: number
  /** Base of the percentages: voters where several choices are allowed, else votes. */
  readonly voters: number
  readonly isClosed: boolean
  readonly closesAt: Date | null
}

/** The page a status links to, by what that says of itself. */
export interface CardView {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly provider: string
  readonly imageUrl: string | null
}

/** A status that another quotes; what it quotes itself is not shown. */
export type QuotedStatus = Omit<StatusView, 'quote'>

/** Quote of a status. `hidden`: the reader may not see what it quotes, or it was revoked. */
export type QuoteView =
  | { readonly kind: 'shown'; readonly status: QuotedStatus }
  | { readonly kind: 'hidden' }

export interface StatusView {
  readonly id: string
  readonly url: string
  readonly author: AuthorView
  readonly createdAt: Date
  readonly editedAt: Date | null
  /** Visibility as text; null if it is public. */
  readonly audience: TextKey | null
  readonly warning: string | null
  /** Sanitised. */
  readonly html: string
  readonly language: string | null
  readonly isSensitive: boolean
  readonly media: readonly MediaView[]
  readonly poll: PollView | null
  readonly card: CardView | null
  readonly quote: QuoteView | null
  /** Visitors may answer, boost and favourite it from their own servers. */
  readonly isOpen: boolean
  readonly replies: number
  readonly reblogs: number
  readonly favourites: number
}
