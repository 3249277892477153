import type { AccountId, StatusId } from '../ids'

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
