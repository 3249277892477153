import type { AdminArchiveImport } from '../../contract/entities/admin/archive-import'
import { timestamp } from './time'

interface ImportFacts {
  readonly id: number
  readonly accountId: number
  readonly username: string
  readonly actorUri: string
  readonly proof: AdminArchiveImport['proof']
  readonly imported: number
  readonly bytes: number
  readonly files: number
  readonly fileBytes: number
  readonly createdAt: Date
  readonly progressedAt: Date
  readonly removedAt: Date | null
}

export function presentAdminArchiveImport(row: ImportFacts): AdminArchiveImport {
  return {
    id: String(row.id),
    account_id: String(row.accountId),
    username: row.username,
    actor: row.actorUri,
    proof: row.proof,
    imported_count: row.imported,
    bytes: row.bytes,
    files_count: row.files,
    file_bytes: row.fileBytes,
    created_at: timestamp(row.createdAt),
    progressed_at: timestamp(row.progressedAt),
    removed_at: row.removedAt === null ? null : timestamp(row.removedAt),
  }
}
