import { and, eq } from 'drizzle-orm'
import { execute, first, map, orNotFound, type Query } from '../../db/query'
import { userTokens } from '../../db/schema'
import { passwordResetUrl } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission, requireRankAbove } from '../policy/permissions'
import { findMemberById } from './find'

export type TokenPurpose = 'confirm' | 'reset'

const hour = 3_600_000
const lifeMilliseconds: Readonly<Record<TokenPurpose, number>> = { confirm: 24 * hour, reset: 2 * hour }

/** Secrets are stored as hashes, like all tokens. */
export function hashUserToken(token: string): Promise<string> {
  return sha256(`user token ${token}`)
}

/** Adds a new one-time secret to `changes`, which replaces earlier ones for the same purpose. */
export async function addUserToken(
  ctx: Ctx,
  changes: Changes,
  order: { readonly accountId: AccountId; readonly purpose: TokenPurpose; readonly email: string | null },
): Promise<string> {
  const token = ctx.random.token()
  const { accountId, purpose, email } = order
  const expiresAt = new Date(ctx.clock.now().getTime() + lifeMilliseconds[purpose])
  changes.add(
    deleteUserTokens(ctx, accountId, purpose),
    ctx.db
      .insert(userTokens)
      .values({ tokenHash: await hashUserToken(token), accountId, purpose, email, expiresAt }),
  )
  return token
}

/** Deletes the secrets of one purpose: they were used, or are replaced by newer ones. */
export function deleteUserTokens(ctx: Ctx, accountId: AccountId, purpose: TokenPurpose) {
  return ctx.db
    .delete(userTokens)
    .where(and(eq(userTokens.accountId, accountId), eq(userTokens.purpose, purpose)))
}

export interface FoundUserToken {
  readonly accountId: AccountId
  readonly email: string | null
}

/** Account of an unexpired secret. */
export function findUserToken(
  ctx: Ctx,
  tokenHash: string,
  purpose: TokenPurpose,
): Query<FoundUserToken | null> {
  const found = first(
    ctx.db
      .select({ accountId: userTokens.accountId, email: userTokens.email, expiresAt: userTokens.expiresAt })
      .from(userTokens)
      .where(and(eq(userTokens.tokenHash, tokenHash), eq(userTokens.purpose, purpose))),
  )
  return map(found, (row) => (row === null || row.expiresAt <= ctx.clock.now() ? null : row))
}

/**
 * Makes a link by which a member chooses a new password, for servers that send no mail; needs `manageUserAccess` and a
 * higher role. Replaces an earlier link. `NotFound` for other accounts.
 */
export async function createResetLink(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<string> {
  requirePermission(moderator, 'manageUserAccess')
  const member = await execute(ctx.db, orNotFound(findMemberById(ctx, accountId)))
  const changes = requireRankAbove(new Changes(), moderator, accountId)
  const token = await addUserToken(ctx, changes, { accountId, purpose: 'reset', email: null })
  const target = { type: 'account' as const, id: accountId, label: member.username }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'reset_password', target }))
  return passwordResetUrl(ctx.config.origin, token)
}
