import { eq, sql } from 'drizzle-orm'
import { execute, first, orNotFound } from '../../db/query'
import { accountKeys, accounts } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission, requireRankAbove } from '../policy/permissions'

/**
 * Gives a local account a new key pair under the same key id; needs `manageUsers` and a higher role. `NotFound` for
 * other accounts.
 *
 * The document shows the new key and all requests are signed with it from one moment on; queued deliveries are
 * signed when they leave, so none carries a key that the document no longer shows. A server that cached the old key
 * finds that a signature does not verify, and refetches the document. For servers that do not, the courier keeps
 * the old key as a last resort for some days (`previousKeyDays`): the `Update` that carries the new key reaches
 * them too. Emits `account.updated`.
 */
export async function rotateKeys(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  requirePermission(moderator, 'manageUsers')
  const named = ctx.db
    .select({ username: accounts.username })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  const account = await execute(ctx.db, orNotFound(first(named)))
  const { publicKey, privateKey } = await ctx.vault.generateKeyPair(accountId)
  const now = ctx.clock.now()
  const changes = requireRankAbove(new Changes(), moderator, accountId)
    .require(
      sql`exists (select 1 from ${accountKeys} where ${accountKeys.accountId} = ${accountId})`,
      new NotFound(),
    )
    .add(
      ctx.db
        .update(accountKeys)
        .set({ previousPrivateKey: sql`private_key`, privateKey, rotatedAt: now })
        .where(eq(accountKeys.accountId, accountId)),
      ctx.db.update(accounts).set({ publicKey, updatedAt: now }).where(eq(accounts.id, accountId)),
    )
    .emit({ kind: 'account.updated', accountId })
  const target = { type: 'account' as const, id: accountId, label: account.username }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'rotate_keys', target }))
}
