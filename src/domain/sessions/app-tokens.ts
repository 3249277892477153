import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { execute, first, type Query } from '../../db/query'
import { accessTokens } from '../../db/schema'
import { Conflict } from '../../errors'
import type { TokenId } from '../../lib/ids'
import { type SealBinding, seal, UnopenableSecret, unseal } from '../../lib/sealing'
import { type InstanceSecrets, instanceSecrets } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { ApplicationRow } from './applications'
import { hashToken } from './find'
import { addAccessToken, type IssuedToken } from './issue-token'
import { isStampDue } from './record-activity'
import { scopeText } from './scopes'
import { expiredBefore, secondsLeft } from './token-lifetime'

type TokenRow = typeof accessTokens.$inferSelect

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
