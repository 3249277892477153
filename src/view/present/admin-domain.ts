import type {
  AdminDomainAllow,
  AdminDomainBlock,
  Blocklist,
  BlocklistChange,
  BlocklistException,
  DomainBlockImport,
  Severance,
} from '../../contract/entities/admin/domain'
import type {
  allowedDomains,
  blocklistEntries,
  blocklistExceptions,
  blocklists,
  domainLimits,
  severanceEvents,
} from '../../db/schema'
import { sha256Hex } from '../../lib/secrets'
import { timestamp } from './time'

/** A limit on a server as moderators see it. Comments that are empty are null. */
export async function presentDomainBlock(row: typeof domainLimits.$inferSelect): Promise<AdminDomainBlock> {
  return {
    id: String(row.id),
    domain: row.domain,
    digest: await sha256Hex(row.domain),
    created_at: timestamp(row.createdAt),
    severity: row.severity,
    reject_media: row.rejectMedia,
    reject_reports: row.rejectReports,
    private_comment: row.privateComment === '' ? null : row.privateComment,
    public_comment: row.publicComment === '' ? null : row.publicComment,
    obfuscate: row.obfuscate,
  }
}

export function presentDomainAllow(row: typeof allowedDomains.$inferSelect): AdminDomainAllow {
  return {
    id: String(row.id),
    domain: row.domain,
    created_at: timestamp(row.createdAt),
  }
}

/** Follows that the suspension of a server ended; `restorableMilliseconds` after that they cannot be restored. */
export function presentSeverance(
  row: typeof severanceEvents.$inferSelect,
  restorableMilliseconds: number,
): Severance {
  return {
    id: String(row.id),
    domain: row.target,
    created_at: timestamp(row.createdAt),
    following_count: row.followingCount,
    followers_count: row.followersCount,
    restorable_until: timestamp(new Date(row.createdAt.getTime() + restorableMilliseconds)),
    restore_started_at: row.restoreStartedAt === null ? null : timestamp(row.restoreStartedAt),
    restored_at: row.restoredAt === null ? null : timestamp(row.restoredAt),
    restored_count: row.restoredCount,
  }
}

/** Counts of what limits affect. */
export function presentEffects(effects: {
  readonly accountsCount: number
  readonly followingCount: number
  readonly followersCount: number
  readonly isComplete: boolean
}) {
  return {
    accounts_count: effects.accountsCount,
    following_count: effects.followingCount,
    followers_count: effects.followersCount,
    complete: effects.isComplete,
  }
}

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
