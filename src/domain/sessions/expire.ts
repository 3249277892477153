import { lte, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import {
  accessTokens,
  authorizationCodes,
  idempotencyKeys,
  knownDevices,
  pendingSignIns,
  revokedTokens,
  sessions,
  signInAddresses,
  unsentMails,
  usedChallenges,
  userTokens,
} from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { deviceSeconds } from './devices'
import { expiredBefore } from './token-lifetime'

const hour = 3_600_000
/** Time for an operator to send dead letters again. */
const unsentMilliseconds = 7 * 24 * hour

/** Application tokens deleted per run, and revoked tokens forgotten. */
const tokensAtOnce = 1_000

/** Days for which a token that was revoked or has expired is distinguished from one that never was; Mastodon keeps one. */
const revokedKeptDays = 90

/**
 * Cron: deletes expired browser sessions, authorization codes, application tokens, mailed secrets, sign-ins not
 * completed, unsent mails and idempotency keys; revoked tokens after 90 days, devices and addresses of sign-ins after a year.
 *
 * Codes and keys have no index on their age: this task itself keeps their tables at an hour's worth.
 */
export async function pruneExpired(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const { db } = ctx
  const forgotten = new Date(now.getTime() - deviceSeconds * 1000)
  await commit(
    ctx,
    new Changes().add(
      db.delete(sessions).where(lte(sessions.expiresAt, now)),
      db.delete(userTokens).where(lte(userTokens.expiresAt, now)),
      db.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, now)),
      db.delete(usedChallenges).where(lte(usedChallenges.expiresAt, now)),
      db.delete(knownDevices).where(lte(knownDevices.lastUsedAt, forgotten)),
      db.delete(signInAddresses).where(lte(signInAddresses.lastUsedAt, forgotten)),
      db.delete(unsentMails).where(lte(unsentMails.happenedAt, new Date(now.getTime() - unsentMilliseconds))),
      db.delete(authorizationCodes).where(lte(authorizationCodes.expiresAt, now)),
      db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, new Date(now.getTime() - hour))),
      db.delete(accessTokens).where(sql`${accessTokens.id} in ${unusedTokens(now)}`),
      db.delete(revokedTokens).where(sql`${revokedTokens.tokenHash} in ${longRevoked(now)}`),
    ),
  )
}

function unusedTokens(now: Date) {
  return sql`(select id from access_tokens where account_id is null
    and coalesce(last_used_at, created_at) <= ${expiredBefore(now)} ${limitTo(tokensAtOnce)})`
}

function longRevoked(now: Date) {
  const before = now.getTime() - revokedKeptDays * dayMilliseconds
  return sql`(select token_hash from revoked_tokens where revoked_at <= ${before} ${limitTo(tokensAtOnce)})`
}
