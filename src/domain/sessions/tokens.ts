import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { both, execute, first, inList, map, prefixedColumns, type Query, rows } from '../../db/query'
import { accessTokens, applications, authorizationCodes } from '../../db/schema'
import { type AppError, Conflict } from '../../errors'
import type { TokenId } from '../../lib/ids'
import { type SealBinding, seal, UnopenableSecret, unseal } from '../../lib/sealing'
import { type InstanceSecrets, instanceSecrets, sameText, sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { ApplicationRow } from './applications'
import { hashCode, isLiveCode } from './authorize'
import { hashToken } from './find'
import { addAccessToken, type IssuedToken } from './issue-token'
import { isStampDue } from './record-activity'
import { scopeText } from './scopes'
import { expiredBefore, secondsLeft } from './token-lifetime'

type TokenRow = typeof accessTokens.$inferSelect
type CodeRow = typeof authorizationCodes.$inferSelect

export interface Exchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/**
 * Exchanges a code for a new token, once. `refusal` is thrown for every code that does not match, whatever the reason,
 * also to the slower of two exchanges of the same code.
 *
 * A second exchange means that the code has leaked (RFC 6749, 4.1.2): it revokes the token the first one made. Each
 * device gets a token of its own, unlike in Mastodon: signing out on one leaves the others signed in. Those
 * longest unused are revoked beyond `mostPerApplication` tokens of an account for one application, and `mostPerAccount` in all.
 */
export async function redeemCode(
  ctx: Ctx,
  application: ApplicationRow,
  exchange: Exchange,
  refusal: AppError,
): Promise<IssuedToken> {
  const codeHash = await hashCode(exchange.code)
  const now = ctx.clock.now()
  const [code, surplus] = await execute(ctx.db, both(findCode(ctx, codeHash), surplusTokens(ctx, codeHash)))
  if (code !== null && code.usedAt !== null && code.applicationId === application.id)
    await revokeTokenOfCode(ctx, codeHash)
  if (code === null || !(await matchesCode(code, application, exchange, now))) throw refusal
  const { accountId } = code
  const changes = new Changes().require(isLiveCode(codeHash, now), refusal)
  const order = { applicationId: application.id, accountId, scopes: code.scopes.split(' ') }
  const token = await addAccessToken(ctx, changes, order)
  const used = { usedAt: now, tokenId: token.id }
  changes.add(ctx.db.update(authorizationCodes).set(used).where(eq(authorizationCodes.codeHash, codeHash)))
  if (surplus.length > 0)
    changes
      .add(ctx.db.delete(accessTokens).where(inList(accessTokens.id, surplus)))
      .publish({ kind: 'sessions.ended', accountId, tokenIds: [...surplus] })
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (failure === refusal) await revokeTokenOfCode(ctx, codeHash)
    throw failure
  }
  return token
}

function findCode(ctx: Ctx, codeHash: string): Query<CodeRow | null> {
  return first(ctx.db.select().from(authorizationCodes).where(eq(authorizationCodes.codeHash, codeHash)))
}

/** More than the devices of any user, each with an application of the same registration. */
const mostPerApplication = 40

/** More than all that a user signs in with: a new password revokes all of them in one request. */
const mostPerAccount = 300

/** Tokens that the next one for the account and application of a code replaces: the longest unused beyond the limits. */
function surplusTokens(ctx: Ctx, codeHash: string): Query<readonly TokenId[]> {
  const ofCode = (columns: SQL) =>
    sql`(select ${columns} from authorization_codes where code_hash = ${codeHash})`
  const beyond = (
    condition: SQL,
    most: number,
  ) => sql`select id from (select id from access_tokens where ${condition}
    order by coalesce(last_used_at, created_at) desc, id desc limit 100 offset ${sql.raw(String(most - 1))})`
  const ofApplication = sql`(account_id, application_id) = ${ofCode(sql`account_id, application_id`)} and account_id is not null`
  const ofAccount = sql`account_id = ${ofCode(sql`account_id`)}`
  const found = ctx.db
    .select({ id: accessTokens.id })
    .from(accessTokens)
    .where(
      sql`${accessTokens.id} in (${beyond(ofApplication, mostPerApplication)} union ${beyond(ofAccount, mostPerAccount)})`,
    )
  return map(rows(found), (list) => list.map(({ id }) => id))
}

async function revokeTokenOfCode(ctx: Ctx, codeHash: string): Promise<void> {
  const { id, applicationId, accountId } = accessTokens
  const made = sql`(select token_id from authorization_codes where code_hash = ${codeHash})`
  const found = ctx.db.select({ id, applicationId, accountId }).from(accessTokens).where(sql`${id} = ${made}`)
  const token = await execute(ctx.db, first(found))
  if (token !== null) await revokeToken(ctx, token)
}

async function matchesCode(
  code: CodeRow,
  application: ApplicationRow,
  exchange: Exchange,
  now: Date,
): Promise<boolean> {
  if (code.applicationId !== application.id || code.redirectUri !== exchange.redirectUri) return false
  if (code.usedAt !== null || code.expiresAt <= now) return false
  if (code.codeChallenge === null) return exchange.codeVerifier === ''
  // RFC 7636, 4.1; the length also bounds the hashed input.
  if (!/^[\w.~-]{43,128}$/.test(exchange.codeVerifier)) return false
  return sameText(await sha256(exchange.codeVerifier), code.codeChallenge)
}

interface FoundToken {
  readonly token: Pick<TokenRow, 'id' | 'applicationId' | 'accountId'>
  readonly clientId: string
}

/** Looks up a token and the client it belongs to. */
export async function findToken(ctx: Ctx, accessToken: string): Promise<FoundToken | null> {
  const tokenHash = await hashToken(accessToken)
  const { id, applicationId, accountId } = accessTokens
  const found = ctx.db
    .select({
      token: prefixedColumns('t', { id, applicationId, accountId }),
      clientId: applications.clientId,
    })
    .from(accessTokens)
    .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(eq(accessTokens.tokenHash, tokenHash))
  return execute(ctx.db, first(found))
}

/** Revokes a token. Dependent rows cascade; streams opened with it receive `sessions.ended`. */
export async function revokeToken(ctx: Ctx, { id, accountId }: FoundToken['token']): Promise<void> {
  const changes = new Changes().add(ctx.db.delete(accessTokens).where(eq(accessTokens.id, id)))
  if (accountId !== null) changes.publish({ kind: 'sessions.ended', accountId, tokenIds: [id] })
  await commit(ctx, changes)
}

/** More than any client needs; each further token replaces the one longest unused. */
const maxPerApplication = 20

/**
 * Token of an application for itself with these scopes: its existing one, or a new one. `clientSecret` was verified.
 *
 * Its existing one is stored encrypted under the secret of the application, of which this server has a hash: only who
 * presents the secret gets the token again. Requesting it again counts as use, recorded once a day. Of two concurrent calls the slower gets the token of the
 * other.
 */
export async function tokenForApplication(
  ctx: Ctx,
  application: ApplicationRow,
  { scopes, clientSecret }: { readonly scopes: readonly string[]; readonly clientSecret: string },
): Promise<IssuedToken> {
  const secrets = instanceSecrets(clientSecret)
  const order = {
    applicationId: application.id,
    accountId: null,
    scopes: scopeText(scopes).split(' '),
    seal: (id: TokenId, accessToken: string) =>
      seal(secrets, bindingOf(id), new TextEncoder().encode(accessToken)),
  }
  const isForScopes = and(
    eq(accessTokens.applicationId, application.id),
    isNull(accessTokens.accountId),
    eq(accessTokens.scopes, order.scopes.join(' ')),
  )
  const held = await execute(ctx.db, findNewest(ctx, isForScopes))
  const renewed = held === null ? null : await renew(ctx, held, secrets)
  if (renewed !== null) return renewed
  const taken = new Conflict('token_issued')
  const newer = sql`select 1 from ${accessTokens} where ${isForScopes} and ${accessTokens.id} > ${held?.id ?? 0}`
  const changes = new Changes().require(sql`not exists (${newer})`, taken)
  const token = await addAccessToken(ctx, changes, order)
  changes.add(deleteLongestUnused(ctx, application))
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (failure !== taken) throw failure
    return tokenForApplication(ctx, application, { scopes, clientSecret })
  }
  return token
}

function findNewest(ctx: Ctx, condition: SQL | undefined): Query<TokenRow | null> {
  const newest = ctx.db.select().from(accessTokens).where(condition).orderBy(desc(accessTokens.id)).limit(1)
  return first(newest)
}

/** Restores the access token of a row; null when it has expired, or was not stored for this secret. */
async function renew(
  ctx: Ctx,
  { id, scopes, ...row }: TokenRow,
  secrets: InstanceSecrets,
): Promise<IssuedToken | null> {
  const now = ctx.clock.now()
  const used = row.lastUsedAt ?? row.createdAt
  if (used.getTime() <= expiredBefore(now)) return null
  const accessToken = await openToken(secrets, id, row.sealedForApplication)
  if (accessToken === null || (await hashToken(accessToken)) !== row.tokenHash) return null
  if (!isStampDue(used, now))
    return { id, accessToken, scopes, createdAt: row.createdAt, expiresInSeconds: secondsLeft(used, now) }
  const stamp = ctx.db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, id))
  await commit(ctx, new Changes().add(stamp))
  return { id, accessToken, scopes, createdAt: row.createdAt, expiresInSeconds: secondsLeft(now, now) }
}

async function openToken(
  secrets: InstanceSecrets,
  id: TokenId,
  sealed: string | null,
): Promise<string | null> {
  if (sealed === null) return null
  try {
    return new TextDecoder().decode(await unseal(secrets, bindingOf(id), sealed))
  } catch (failure) {
    if (failure instanceof UnopenableSecret) return null
    throw failure
  }
}

function bindingOf(id: TokenId): SealBinding {
  return { kind: 'access token', owner: id }
}

function deleteLongestUnused(ctx: Ctx, { id }: ApplicationRow) {
  const beyond = sql`(select id from access_tokens where application_id = ${id} and account_id is null
    order by coalesce(last_used_at, created_at) desc, id desc limit -1 offset ${maxPerApplication})`
  return ctx.db.delete(accessTokens).where(sql`${accessTokens.id} in ${beyond}`)
}
