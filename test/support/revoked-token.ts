import { eq } from 'drizzle-orm'
import { accessTokens } from '../../src/db/schema'
import { hashToken } from '../../src/domain/sessions/find'
import { allScopes } from '../../src/domain/sessions/scopes'
import { given } from './given'
import { context } from './test-app'

/** A token of every scope that was revoked: every endpoint refuses it. */
export async function revokedToken(): Promise<string> {
  const { id } = await given.account()
  const token = await given.token({ accountId: id, scopes: allScopes.join(' ') })
  await context()
    .db.delete(accessTokens)
    .where(eq(accessTokens.tokenHash, await hashToken(token)))
  return token
}
