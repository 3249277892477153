import type { Config } from '../../config'
import type { AdminInvite } from '../../contract/entities/admin/invite'
import type { invites } from '../../db/schema'
import { inviteUrl } from '../../lib/addresses'
import { timestamp, timestampOrNull } from './time'

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
