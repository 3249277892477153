import { eq } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { accessTokens } from '../../db/schema'
import type { AccountId, ApplicationId, TokenId } from '../../lib/ids'
import { signWith } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
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

interface TokenOrder {
  readonly applicationId: ApplicationId
  /** Null: the application acts for itself. */
  readonly accountId: AccountId | null
  readonly scopes: readonly string[]
  /** Encrypts the token so that its holder can be given it again. */
  readonly seal?: (id: TokenId, accessToken: string) => Promise<string>
}

/** Adds a new random token to `changes` and returns it. Only its hash is stored. */
export async function addAccessToken(ctx: Ctx, changes: Changes, order: TokenOrder): Promise<IssuedToken> {
  const id: TokenId = ctx.ids.next()
  const accessToken = ctx.random.token()
  const scopes = order.scopes.join(' ')
  const createdAt = ctx.clock.now()
  const { applicationId, accountId } = order
  const tokenHash = await hashToken(accessToken)
  changes.add(
    ctx.db.insert(accessTokens).values({
      id,
      tokenHash,
      applicationId,
      accountId,
      scopes,
      createdAt,
      derived: false,
      sealedForApplication: await (order.seal?.(id, accessToken) ?? null),
    }),
  )
  const expiresInSeconds = accountId === null ? secondsLeft(createdAt, createdAt) : null
  return { id, accessToken, scopes, createdAt, expiresInSeconds }
}

/** The access token with this id, if it is from before tokens were random; null for others. */
export async function findDerivedToken(ctx: Ctx, id: TokenId): Promise<string | null> {
  const { tokenHash } = accessTokens
  const stored = ctx.db.select({ tokenHash }).from(accessTokens).where(eq(accessTokens.id, id))
  const row = await execute(ctx.db, first(stored))
  return row === null ? null : deriveToken(ctx, id, row.tokenHash)
}

/** The token with this id and hash as it was derived from one of the accepted secrets, or null. */
export async function deriveToken({ config }: Ctx, id: TokenId, tokenHash: string): Promise<string | null> {
  for (const secret of config.secrets.accepted) {
    const token = await signWith(secret, 'access token', String(id))
    if ((await hashToken(token)) === tokenHash) return token
  }
  return null
}
