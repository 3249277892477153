import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask, both, first, type Query, rows } from '../../db/query'
import { accessTokens, applications, authorizationCodes } from '../../db/schema'
import { named } from '../../db/sql'
import type { AppError } from '../../errors'
import { sameText, sha256 } from '../../lib/secrets'
import { accessTokenOf, addAccessToken, type IssuedToken, type TokenOrder } from '../access-tokens'
import { Changes, commit } from '../changes'
import type { ApplicationRow } from './applications'
import { hashCode, isLiveCode } from './authorize'
import { hashToken } from './find'

type TokenRow = typeof accessTokens.$inferSelect
type CodeRow = typeof authorizationCodes.$inferSelect

export interface Exchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/**
 * Exchanges a code for a token, once. `refusal` is thrown for every code that does not fit, whatever the reason,
 * also to the slower of two exchanges of the same code.
 */
export async function redeemCode(
  ctx: Ctx,
  application: ApplicationRow,
  exchange: Exchange,
  refusal: AppError,
): Promise<IssuedToken> {
  const codeHash = await hashCode(exchange.code)
  const now = ctx.clock.now()
  const [code, held] = await ask(ctx.db, both(findCode(ctx, codeHash), tokensBehindCode(ctx, codeHash)))
  if (code === null || !(await fits(code, application, exchange, now))) throw refusal
  const changes = new Changes()
    .require(isLiveCode(codeHash, now), refusal)
    .add(
      ctx.db.update(authorizationCodes).set({ usedAt: now }).where(eq(authorizationCodes.codeHash, codeHash)),
    )
  const { accountId } = code
  const order = { applicationId: application.id, accountId, scopes: code.scopes.split(' ') }
  const token = (await reusable(ctx, held, order)) ?? (await addAccessToken(ctx, changes, order))
  await commit(ctx, changes)
  return token
}

/** A token for the application itself: the one it has for these scopes, or a new one. */
export async function tokenForApplication(
  ctx: Ctx,
  application: ApplicationRow,
  scopes: readonly string[],
): Promise<IssuedToken> {
  const own = ctx.db
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.applicationId, application.id), isNull(accessTokens.accountId)))
    .limit(50)
  const order = { applicationId: application.id, accountId: null, scopes }
  const held = await ask(ctx.db, rows(own))
  const known = await reusable(ctx, held, order)
  if (known !== null) return known
  const changes = new Changes()
  const token = await addAccessToken(ctx, changes, order)
  await commit(ctx, changes)
  return token
}

function findCode(ctx: Ctx, codeHash: string): Query<CodeRow | null> {
  return first(ctx.db.select().from(authorizationCodes).where(eq(authorizationCodes.codeHash, codeHash)))
}

function tokensBehindCode(ctx: Ctx, codeHash: string): Query<TokenRow[]> {
  const behind = sql`(select application_id, account_id from authorization_codes where code_hash = ${codeHash})`
  return rows(
    ctx.db
      .select()
      .from(accessTokens)
      .where(
        sql`(${accessTokens.applicationId}, ${accessTokens.accountId}) = ${behind} and account_id is not null`,
      )
      .limit(50),
  )
}

async function fits(
  code: CodeRow,
  application: ApplicationRow,
  exchange: Exchange,
  now: Date,
): Promise<boolean> {
  if (code.applicationId !== application.id || code.redirectUri !== exchange.redirectUri) return false
  if (code.usedAt !== null || code.expiresAt <= now) return false
  if (code.codeChallenge === null) return exchange.codeVerifier === ''
  // RFC 7636, 4.1; the length also bounds what is hashed.
  if (!/^[\w.~-]{43,128}$/.test(exchange.codeVerifier)) return false
  return sameText(await sha256(exchange.codeVerifier), code.codeChallenge)
}

/** The token already given for this order, as long as the secret it was derived under is still the same. */
async function reusable(ctx: Ctx, held: readonly TokenRow[], order: TokenOrder): Promise<IssuedToken | null> {
  const wanted = sorted(order.scopes)
  const found = held.find((token) => sorted(token.scopes.split(' ')) === wanted)
  if (found === undefined) return null
  const accessToken = await accessTokenOf(ctx, found.id)
  if ((await hashToken(accessToken)) !== found.tokenHash) return null
  return { accessToken, scopes: found.scopes, createdAt: found.createdAt }
}

function sorted(scopes: readonly string[]): string {
  return [...scopes].sort().join(' ')
}

export interface FoundToken {
  readonly token: Pick<TokenRow, 'id' | 'applicationId' | 'accountId'>
  readonly clientId: string
}

/** The token as stored and the client it belongs to, for whoever holds it. */
export async function findToken(ctx: Ctx, accessToken: string): Promise<FoundToken | null> {
  const tokenHash = await hashToken(accessToken)
  const { id, applicationId, accountId } = accessTokens
  const found = ctx.db
    .select({
      token: named('t', { id, applicationId, accountId }),
      clientId: applications.clientId,
    })
    .from(accessTokens)
    .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(eq(accessTokens.tokenHash, tokenHash))
  return ask(ctx.db, first(found))
}

/** Ends a token: what hangs on it goes with the row, and who listens by it is told `sessions.ended`. */
export async function revokeToken(ctx: Ctx, { id, accountId }: FoundToken['token']): Promise<void> {
  const changes = new Changes().add(ctx.db.delete(accessTokens).where(eq(accessTokens.id, id)))
  if (accountId !== null) changes.tell({ kind: 'sessions.ended', accountId, tokenIds: [id] })
  await commit(ctx, changes)
}
