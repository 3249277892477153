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

/** The page a status links to, by what that says of itself. */
export interface CardView {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly provider: string
  readonly imageUrl: string | null
}
