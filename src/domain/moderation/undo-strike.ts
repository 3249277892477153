import { eq } from 'drizzle-orm'
import { accounts, users } from '../../db/schema'
import type { Ctx } from '../../platform/ports'
import { recordAudit } from '../core/audit'
import type { Changes } from '../core/changes'
import type { Moderator } from '../core/moderator'
import type { FoundStrike } from './find-strikes'

/**
 * Adds what undoes the action of a strike, with an audit entry. States that ended meanwhile stay ended, and deleted
 * statuses do not return.
 */
export function undoStrike(ctx: Ctx, changes: Changes, moderator: Moderator, strike: FoundStrike): void {
  const { targetAccountId: accountId, action } = strike
  const ofAccount = eq(accounts.id, accountId)
  switch (action) {
    case 'none':
    case 'delete_statuses':
      return
    case 'mark_statuses_as_sensitive':
      return
    case 'disable':
      changes.add(ctx.db.update(users).set({ disabledAt: null }).where(eq(users.accountId, accountId)))
      break
    case 'sensitive':
      changes.add(ctx.db.update(accounts).set({ sensitizedAt: null }).where(ofAccount))
      break
    case 'silence':
      changes
        .add(ctx.db.update(accounts).set({ silencedAt: null }).where(ofAccount))
        .publish({ kind: 'standing.changed', accountId })
      break
    case 'suspend':
      changes.add(ctx.db.update(accounts).set({ suspendedAt: null }).where(ofAccount)).emit({
        kind: 'account.updated',
        accountId,
      })
  }
  recordAudit(ctx, changes, moderator, {
    action: undone[action],
    target: { type: 'account', id: accountId, label: strike.targetAcct },
    before: { [action]: true },
    after: { [action]: false },
  })
}

const undone = {
  disable: 'enable',
  sensitive: 'unsensitive',
  silence: 'unsilence',
  suspend: 'unsuspend',
} as const
