import type { AccountArchive } from '../../contract/entities/account-archive'
import { timestamp, timestampOrNull } from './time'

interface ArchiveFacts {
  readonly id: number
  readonly sizeBytes: number
  readonly createdAt: Date
  readonly readyAt: Date | null
}

export function presentAccountArchive(row: ArchiveFacts, keptMilliseconds: number): AccountArchive {
  const { id, sizeBytes, createdAt, readyAt } = row
  return {
    id: String(id),
    state: readyAt === null ? 'making' : 'ready',
    size_bytes: readyAt === null ? null : sizeBytes,
    created_at: timestamp(createdAt),
    ready_at: timestampOrNull(readyAt),
    expires_at: timestampOrNull(readyAt === null ? null : new Date(readyAt.getTime() + keptMilliseconds)),
  }
}
