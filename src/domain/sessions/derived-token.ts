import { eq } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { accessTokens } from '../../db/schema'
import type { TokenId } from '../../lib/ids'
import { signWith } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { hashToken } from './find'

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
