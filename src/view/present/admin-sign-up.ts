import type { Config } from '../../config'
import { inviteUrl } from '../../contract/addresses'
import type {
  AdminCanonicalEmailBlock,
  AdminEmailDomainBlock,
  AdminInvite,
  AdminIpBlock,
  AdminRole,
  UsernameBlock,
} from '../../contract/entities/admin/sign-up'
import type {
  canonicalEmailBlocks,
  emailDomainBlocks,
  invites,
  ipBlocks,
  roles,
  usernameBlocks,
} from '../../db/schema'
import { permissionBits } from '../../domain/policy/permissions'
import { dayMilliseconds } from '../../lib/days'
import { daysOfUse } from '../load/tags'
import { presentUsage } from './tag'
import { timestamp, timestampOrNull } from './time'

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

/** An invitation with the name of its inviter. */
interface InviteFacts extends Omit<typeof invites.$inferSelect, 'comment'> {
  readonly inviter: string
  readonly state: 'usable' | 'used up' | 'expired'
}

export function presentAdminInvite({ origin }: Config, invite: InviteFacts): AdminInvite {
  return {
    id: String(invite.id),
    code: invite.code,
    url: inviteUrl(origin, invite.code),
    account_id: String(invite.accountId),
    username: invite.inviter,
    state: invite.state === 'used up' ? 'used_up' : invite.state,
    uses: invite.uses,
    max_uses: invite.maxUses,
    autofollow: invite.autofollow,
    expires_at: timestampOrNull(invite.expiresAt),
    created_at: timestamp(invite.createdAt),
  }
}

/** Presents a role to administrators. */
export function presentAdminRole(role: typeof roles.$inferSelect): AdminRole {
  return {
    id: String(role.id),
    name: role.name,
    color: role.color,
    position: role.position,
    permissions: String(role.permissions),
    permission_names: [...permissionBits]
      .filter(([, bit]) => (role.permissions & bit) !== 0)
      .map(([name]) => name),
    highlighted: role.highlighted,
    require_two_factor: role.requireTwoFactor,
    collection_limit: role.collectionLimit,
    created_at: timestamp(role.createdAt),
    updated_at: timestamp(role.updatedAt),
  }
}
