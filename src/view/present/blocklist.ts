import type {
  Blocklist,
  BlocklistChange,
  BlocklistException,
  DomainBlockImport,
} from '../../contract/entities/admin/blocklists'
import type { blocklistEntries, blocklistExceptions, blocklists, domainLimits } from '../../db/schema'
import { presentDomainBlock } from './domain-block'
import { timestamp } from './time'

/** A subscription to a published list; uploaded files, which have no address, are never presented. */
export function presentBlocklist(
  row: typeof blocklists.$inferSelect & { readonly hasPendingChanges: boolean },
): Blocklist {
  return {
    id: String(row.id),
    title: row.title,
    url: row.url ?? '',
    checked_at: row.checkedAt === null ? null : timestamp(row.checkedAt),
    next_check_at: row.nextCheckAt === null ? null : timestamp(row.nextCheckAt),
    error: row.error,
    has_pending_changes: row.hasPendingChanges,
    created_at: timestamp(row.createdAt),
  }
}

type Listed = Pick<
  typeof blocklistEntries.$inferSelect,
  'domain' | 'severity' | 'rejectMedia' | 'rejectReports' | 'obfuscate' | 'publicComment'
>

/** A limit as a list publishes it. */
export function presentListedLimit(line: Listed) {
  return {
    domain: line.domain,
    severity: line.severity,
    reject_media: line.rejectMedia,
    reject_reports: line.rejectReports,
    obfuscate: line.obfuscate,
    public_comment: line.publicComment === '' ? null : line.publicComment,
  }
}

export async function presentBlocklistChange(
  entry: typeof blocklistEntries.$inferSelect,
  limits: ReadonlyMap<string, typeof domainLimits.$inferSelect>,
): Promise<BlocklistChange> {
  const existing = limits.get(entry.domain)
  return {
    id: String(entry.id),
    change: entry.change,
    ...presentListedLimit(entry),
    existing_domain_block: existing === undefined ? null : await presentDomainBlock(existing),
  }
}

export function presentImport(counts: {
  readonly id: number
  readonly added: number
  readonly changed: number
  readonly skipped: number
}): DomainBlockImport {
  return {
    id: String(counts.id),
    added_count: counts.added,
    changed_count: counts.changed,
    skipped_count: counts.skipped,
  }
}

export function presentException(row: typeof blocklistExceptions.$inferSelect): BlocklistException {
  return {
    id: String(row.id),
    domain: row.domain,
    comment: row.comment,
    created_at: timestamp(row.createdAt),
  }
}
