import type {
  AdminCanonicalEmailBlock,
  AdminEmailDomainBlock,
  AdminIpBlock,
  UsernameBlock,
} from '../../contract/entities/admin/sign-up-block'
import type { canonicalEmailBlocks, emailDomainBlocks, ipBlocks, usernameBlocks } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import { daysOfUse } from '../load/usage'
import { timestamp, timestampOrNull } from './time'
import { presentUsage } from './usage'

export function presentIpBlock(row: typeof ipBlocks.$inferSelect): AdminIpBlock {
  return {
    id: String(row.id),
    ip: row.ip,
    severity: row.severity,
    comment: row.comment,
    created_at: timestamp(row.createdAt),
    expires_at: timestampOrNull(row.expiresAt),
  }
}

/** A blocked domain with the attempts to sign up of the last seven days. */
export function presentEmailDomainBlock(
  row: typeof emailDomainBlocks.$inferSelect,
  now: Date,
): AdminEmailDomainBlock {
  const today = Math.floor(now.getTime() / dayMilliseconds)
  const history = Array.from({ length: daysOfUse }, (_, ago) => {
    const [accounts, uses] = row.history[String(today - ago)] ?? [0, 0]
    return { day: new Date((today - ago) * dayMilliseconds), accounts, uses }
  })
  return {
    id: String(row.id),
    domain: row.domain,
    created_at: timestamp(row.createdAt),
    history: presentUsage(history),
    allow_with_approval: row.allowWithApproval,
  }
}

export function presentCanonicalEmailBlock(
  row: typeof canonicalEmailBlocks.$inferSelect,
): AdminCanonicalEmailBlock {
  return {
    id: String(row.id),
    canonical_email_hash: row.canonicalEmailHash,
  }
}

export function presentUsernameBlock(row: typeof usernameBlocks.$inferSelect): UsernameBlock {
  return {
    id: String(row.id),
    username: row.username,
    comparison: row.exact ? 'equals' : 'contains',
    allow_with_approval: row.allowWithApproval,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  }
}
