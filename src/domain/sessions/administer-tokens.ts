import { and, desc, eq, sql } from 'drizzle-orm'
import { both, execute, first, map, prefixedColumns, type Query, rows } from '../../db/query'
import { accessTokens, accounts, applications } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, TokenId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission, requireRankAbove } from '../policy/permissions'
import { addAccessToken } from './issue-token'
import type { Scope } from './scopes'

/** Newest tokens of an account that are listed. */
const mostTokens = 100

/** An account, null if missing, and its access tokens with their applications, newest first. */
export function findTokensOf(ctx: Ctx, accountId: AccountId) {
  const { id, scopes, createdAt, lastUsedAt } = accessTokens
  const tokens = rows(
    ctx.db
      .select({
        token: prefixedColumns('t', { id, scopes, createdAt, lastUsedAt }),
        application: prefixedColumns('p', { name: applications.name }),
      })
      .from(accessTokens)
      .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
      .where(eq(accessTokens.accountId, accountId))
      .orderBy(desc(accessTokens.id))
      .limit(mostTokens),
  )
  return map(both(usernameOf(ctx, accountId), tokens), ([account, found]) => ({ account, tokens: found }))
}

/** Ends a token of a member; needs `manageUserAccess` and a higher role. `NotFound` for others. */
export async function revokeTokenOf(
  ctx: Ctx,
  moderator: Moderator,
  { accountId, tokenId }: { readonly accountId: AccountId; readonly tokenId: TokenId },
): Promise<void> {
  requirePermission(moderator, 'manageUserAccess')
  const label = await execute(ctx.db, usernameOf(ctx, accountId))
  const isHeld = sql`exists (select 1 from access_tokens where id = ${tokenId} and account_id = ${accountId})`
  const changes = requireRankAbove(new Changes(), moderator, accountId)
    .require(isHeld, new NotFound())
    .add(
      ctx.db
        .delete(accessTokens)
        .where(and(eq(accessTokens.id, tokenId), eq(accessTokens.accountId, accountId))),
    )
    .publish({ kind: 'sessions.ended', accountId, tokenIds: [tokenId] })
  const target = { type: 'account' as const, id: accountId, label: label?.username ?? '' }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'revoke_token', target }))
}

/** Id of the application of tokens that commands make. */
const ownApplication = 1

/**
 * Adds a token for an account under the application of commands, which is made on first need. Only the operator may:
 * its creator acts as the account.
 */
export async function addOwnToken(
  ctx: Ctx,
  changes: Changes,
  { accountId, scopes }: { readonly accountId: AccountId; readonly scopes: readonly string[] },
): Promise<{ readonly id: TokenId; readonly accessToken: string }> {
  changes.add(
    ctx.db
      .insert(applications)
      .values({
        id: ownApplication,
        clientId: 'fieldfare-scripts',
        name: 'Fieldfare scripts',
        redirectUris: [],
        // Matches no secret: the application cannot authenticate.
        clientSecretHash: 'none',
        scopes: 'read write follow push',
        createdAt: ctx.clock.now(),
      })
      .onConflictDoUpdate({ target: applications.id, set: { name: sql`name` } }),
  )
  return addAccessToken(ctx, changes, { applicationId: ownApplication, accountId, scopes: [...scopes] })
}

/** Makes a token for an account, recorded in the audit log, and answers it. */
export async function createTokenFor(
  ctx: Ctx,
  moderator: Moderator,
  order: { readonly accountId: AccountId; readonly username: string; readonly scopes: readonly Scope[] },
): Promise<{ readonly id: TokenId; readonly accessToken: string }> {
  const { accountId, username, scopes } = order
  const changes = new Changes()
  const token = await addOwnToken(ctx, changes, { accountId, scopes })
  const target = { type: 'account' as const, id: accountId, label: username }
  const after = { scopes: scopes.join(' ') }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'create_token', target, after }))
  return token
}

function usernameOf(ctx: Ctx, id: AccountId): Query<{ readonly username: string } | null> {
  return first(ctx.db.select({ username: accounts.username }).from(accounts).where(eq(accounts.id, id)))
}
