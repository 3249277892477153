import { accessTokens } from '../../db/schema'
import type { AccountId, ApplicationId, TokenId } from '../../lib/ids'
import { sign } from '../../lib/secrets'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { hashToken } from './find'
import { secondsLeft } from './token-lifetime'

/** Token as returned to its holder. */
export interface IssuedToken {
  readonly id: TokenId
  readonly accessToken: string
  readonly scopes: string
  readonly createdAt: Date
  /** Null: valid until revoked. */
  readonly expiresInSeconds: number | null
}

export interface TokenOrder {
  readonly applicationId: ApplicationId
  /** Null: the application acts for itself. */
  readonly accountId: AccountId | null
  readonly scopes: readonly string[]
}

/**
 * Derives the token with this id. Only its hash is stored, so it is derived from the id under the instance's
 * secret: the same account and application can be given the same token again.
 */
export function accessTokenOf(ctx: Ctx, id: TokenId): Promise<string> {
  return sign(ctx.config.secret, 'access token', String(id))
}

/** Adds a new token to `changes` and returns it. */
export async function addAccessToken(ctx: Ctx, changes: Changes, order: TokenOrder): Promise<IssuedToken> {
  const id = ctx.ids.next()
  const accessToken = await accessTokenOf(ctx, id)
  const scopes = order.scopes.join(' ')
  const createdAt = ctx.clock.now()
  const { applicationId, accountId } = order
  const tokenHash = await hashToken(accessToken)
  changes.add(
    ctx.db.insert(accessTokens).values({ id, tokenHash, applicationId, accountId, scopes, createdAt }),
  )
  const expiresInSeconds = accountId === null ? secondsLeft(createdAt, createdAt) : null
  return { id, accessToken, scopes, createdAt, expiresInSeconds }
}
