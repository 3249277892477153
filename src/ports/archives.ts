import type { AccountId, StatusId } from '../lib/ids'

type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

/** Account of another server whose archive is read. */
export interface ArchiveSource {
  readonly actorUri: string
  /** Followers collection: posts addressed to it and not to the public are for followers. */
  readonly followersUri: string
}

/** A file of an archived status. `url` is its address or path, letter by letter as the archive has it. */
export interface ArchivedFile {
  readonly url: string
  readonly description: string | null
  readonly focus: { readonly x: number; readonly y: number } | null
}

/** A poll without its votes, of which an archive proves none. */
export interface ArchivedPoll {
  readonly options: readonly string[]
  readonly multiple: boolean
  readonly expiresAt: Date | null
}

/** A status of an archive, sanitised as one that another server sends. */
export interface ArchivedStatus {
  readonly uri: string
  readonly visibility: Visibility
  readonly localOnly: boolean
  readonly content: string
  readonly spoilerText: string
  readonly sensitive: boolean
  readonly language: string | null
  readonly inReplyTo: string | null
  readonly publishedAt: Date
  readonly editedAt: Date | null
  /** Actor ids of its mentions. */
  readonly mentioned: readonly string[]
  readonly tags: readonly { readonly name: string; readonly display: string }[]
  /** Addresses by which the text links its hashtags. */
  readonly tagLinks: readonly { readonly href: string; readonly name: string }[]
  readonly emojis: readonly { readonly shortcode: string; readonly image: { readonly remote: string } }[]
  readonly files: readonly ArchivedFile[]
  readonly poll: ArchivedPoll | null
}

/** An entry of the outbox in an archive. */
export type ArchivedItem =
  | { readonly kind: 'status'; readonly status: ArchivedStatus }
  | {
      readonly kind: 'reblog'
      readonly uri: string
      readonly originalUri: string
      readonly publishedAt: Date
      readonly visibility: Visibility
    }
  | { readonly kind: 'unreadable'; readonly uri: string | null; readonly reason: string }

/** Reads entries of outboxes in archives. Never throws: archives are as hostile as what other servers send. */
export type ReadArchivedItem = (item: unknown, source: ArchiveSource, now: Date) => ArchivedItem

/** Texts of the profile in an archive, as they are edited. */
export interface ArchivedProfile {
  readonly actorUri: string
  readonly displayName: string
  readonly note: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** Reads the actor document of an archive; null for what is none. Never throws. */
export type ReadArchivedProfile = (document: unknown) => ArchivedProfile | null

/** A file of an archive, and its key in the media store. */
export interface ArchiveFile {
  readonly name: string
  readonly key: string
}

/** Next activities of an account, oldest first. */
export interface OutboxPage {
  readonly items: readonly object[]
  /** Files that they name. */
  readonly files: readonly ArchiveFile[]
  /** Status behind which the next page begins; null at the end. */
  readonly next: StatusId | null
}

export interface ArchivedActor {
  readonly document: object
  readonly files: readonly ArchiveFile[]
}

/** Documents of an archive, as ActivityPub has them, with paths of the archive in place of addresses of files. */
export interface ArchiveDocuments {
  outbox(owner: AccountId, after: StatusId): Promise<OutboxPage>
  /** Null for an account that is not active. */
  actor(owner: AccountId): Promise<ArchivedActor | null>
}
