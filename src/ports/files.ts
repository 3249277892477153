import type { MediaId } from '../lib/ids'

export interface StoredFile {
  readonly body: ReadableStream
  readonly sizeBytes: number
  readonly mime: string
  readonly etag: string
  readonly uploadedAt: Date
}

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** Media store. Keys are paths without a leading slash. */
export interface Files {
  put(key: string, body: ArrayBuffer | Uint8Array | ReadableStream, mime: string): Promise<void>
  /**
   * Stores a stream of `sizeBytes` without holding it in memory. Nothing is stored where it fails, or has another length
   * (`TypeError`).
   */
  putStream(key: string, body: ReadableStream, file: Pick<StoredFile, 'mime' | 'sizeBytes'>): Promise<void>
  get(key: string, range?: ByteRange): Promise<StoredFile | null>
  head(key: string): Promise<Omit<StoredFile, 'body'> | null>
  delete(keys: readonly string[]): Promise<void>
  /** Begins a file that is stored in parts, of five megabytes at least and all of one size but the last. Answers its id. */
  beginUpload(key: string, mime: string): Promise<string>
  /** Stores a part, counted from one, and answers its tag. */
  uploadPart(
    key: string,
    uploadId: string,
    part: { readonly number: number; readonly bytes: Uint8Array },
  ): Promise<string>
  /** Ends the upload with the tags of its parts in their order: from then on the file is there. */
  completeUpload(key: string, uploadId: string, tags: readonly string[]): Promise<void>
  /** Files whose keys begin with `prefix` and come behind `after`, in the order of the keys; 1,000 at most. */
  list(prefix: string, after: string, most: number): Promise<readonly { key: string; uploadedAt: Date }[]>
  /** Files behind the key `after` with their facts, in the order of the keys, and whether more follow. */
  listFacts(
    after: string,
    most: number,
  ): Promise<{ readonly files: readonly ListedFile[]; readonly isLast: boolean }>
  /** Names of the folders right below `prefix`, which ends with a slash. */
  folders(prefix: string): Promise<readonly string[]>
}

export interface ListedFile extends Omit<StoredFile, 'body'> {
  readonly key: string
}

/**
 * Key under which evidence keeps a copy of a remote attachment, or of its preview, in the media store, below that of
 * evidence.
 */
export function copyKey(mediaId: MediaId, size: 'whole' | 'small' = 'whole'): string {
  return size === 'whole' ? `remote/${mediaId}` : `remote/${mediaId}/small`
}

/** Folder of the bucket for archives of accounts. Only the API serves them, to their owners. */
export const archivesFolder = 'archives/'

export function isArchiveKey(key: string): boolean {
  return key.startsWith(archivesFolder)
}
