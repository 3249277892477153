import type { AdminDomainAllow, AdminDomainBlock } from '../../contract/entities/admin/domain'
import type { allowedDomains, domainLimits } from '../../db/schema'
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
