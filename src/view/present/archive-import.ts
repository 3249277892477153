import type {
  ArchiveImport,
  ArchiveImportResult,
  ArchiveProfileResult,
} from '../../contract/entities/archive-import'
import { timestamp } from './time'

interface ImportFacts {
  readonly id: number
  readonly actorUri: string
  readonly proof: ArchiveImport['proof']
  readonly imported: number
  readonly refused: number
  readonly createdAt: Date
  readonly progressedAt: Date
}

export function presentArchiveImport(row: ImportFacts): ArchiveImport {
  return {
    id: String(row.id),
    actor: row.actorUri,
    proof: row.proof,
    imported_count: row.imported,
    refused_count: row.refused,
    created_at: timestamp(row.createdAt),
    progressed_at: timestamp(row.progressedAt),
  }
}

interface ResultFacts {
  readonly kind: ArchiveImportResult['state']
  readonly uri: string | null
  readonly id?: number
  readonly reason?: string
  readonly missing?: readonly string[]
}

export function presentArchiveResult(result: ResultFacts): ArchiveImportResult {
  return {
    uri: result.uri,
    state: result.kind,
    id: result.id === undefined ? null : String(result.id),
    reason: result.reason ?? null,
    missing_files: [...(result.missing ?? [])],
  }
}

export function presentRestoredProfile(
  restored: readonly ('displayName' | 'note' | 'fields' | 'avatar' | 'header')[],
): ArchiveProfileResult {
  return { restored: restored.map((part) => (part === 'displayName' ? 'display_name' : part)) }
}
