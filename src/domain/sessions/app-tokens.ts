import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { execute, first, type Query } from '../../db/query'
import { accessTokens } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import type { ApplicationRow } from './applications'
import { hashToken } from './find'
import { accessTokenOf, addAccessToken, type IssuedToken } from './issue-token'
import { isStampDue } from './record-activity'
import { scopeText } from './scopes'
import { expiredBefore, secondsLeft } from './token-lifetime'

type TokenRow = typeof accessTokens.$inferSelect

/** More than any client has use for; every further one takes the place of the one longest unused. */
const maxPerApplication = 20

/**
 * The token of an application by itself for these scopes: the one it has, or a new one.
 *
 * Asking again counts as use, noted once a day. Of two calls at the same moment the slower gets the token of the other.
 */
export async function tokenForApplication(
  ctx: Ctx,
  application: ApplicationRow,
  scopes: readonly string[],
): Promise<IssuedToken> {
  const order = { applicationId: application.id, accountId: null, scopes: scopeText(scopes).split(' ') }
  const isWanted = and(
    eq(accessTokens.applicationId, application.id),
    isNull(accessTokens.accountId),
    eq(accessTokens.scopes, order.scopes.join(' ')),
  )
  const held = await execute(ctx.db, findNewest(ctx, isWanted))
  const known = held === null ? null : await renew(ctx, held)
  if (known !== null) return known
  const taken = new Conflict('The application has got a token for these scopes meanwhile')
  const newer = sql`select 1 from ${accessTokens} where ${isWanted} and ${accessTokens.id} > ${held?.id ?? 0}`
  const changes = new Changes().require(sql`not exists (${newer})`, taken)
  const token = await addAccessToken(ctx, changes, order)
  changes.add(deleteLongestUnused(ctx, application))
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (failure !== taken) throw failure
    return tokenForApplication(ctx, application, scopes)
  }
  return token
}

function findNewest(ctx: Ctx, condition: SQL | undefined): Query<TokenRow | null> {
  const newest = ctx.db.select().from(accessTokens).where(condition).orderBy(desc(accessTokens.id)).limit(1)
  return first(newest)
}

/** The token as its holder knows it; null when it has run out, or was derived under another secret. */
async function renew(ctx: Ctx, { id, tokenHash, scopes, ...row }: TokenRow): Promise<IssuedToken | null> {
  const now = ctx.clock.now()
  const used = row.lastUsedAt ?? row.createdAt
  if (used.getTime() <= expiredBefore(now)) return null
  const accessToken = await accessTokenOf(ctx, id)
  if ((await hashToken(accessToken)) !== tokenHash) return null
  if (!isStampDue(used, now))
    return { id, accessToken, scopes, createdAt: row.createdAt, expiresInSeconds: secondsLeft(used, now) }
  const stamp = ctx.db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, id))
  await commit(ctx, new Changes().add(stamp))
  return { id, accessToken, scopes, createdAt: row.createdAt, expiresInSeconds: secondsLeft(now, now) }
}

function deleteLongestUnused(ctx: Ctx, { id }: ApplicationRow) {
  const beyond = sql`(select id from access_tokens where application_id = ${id} and account_id is null
    order by coalesce(last_used_at, created_at) desc, id desc limit -1 offset ${maxPerApplication})`
  return ctx.db.delete(accessTokens).where(sql`${accessTokens.id} in ${beyond}`)
}
