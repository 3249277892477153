import { sql } from 'drizzle-orm'
import { usedChallenges } from '../../db/schema'
import type { AppError } from '../../errors'
import { base64url, sha256, sign, verify } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/** Use that a challenge is made for: one made for another is refused. */
export type ChallengePurpose = 'registration' | 'sign-in' | 'second factor'

/** Use of a challenge, and the session or form of the browser that it belongs to. */
export interface ChallengeScope {
  readonly purpose: ChallengePurpose
  readonly boundTo: string
}

/** Time to find the passkey, answer the browser and touch the key. */
const challengeMilliseconds = 10 * 60_000

/**
 * Challenge for a passkey, in base64url as browsers take it: expiry, randomness and a signature. Nothing is stored, so
 * that showing a page costs no write; only the answer is.
 */
export async function issueChallenge(ctx: Ctx, scope: ChallengeScope): Promise<string> {
  const expiresAt = ctx.clock.now().getTime() + challengeMilliseconds
  const text = `${expiresAt.toString(36)}.${ctx.random.token()}`
  const signature = await sign(ctx.config.secrets, purposeOf(scope), `${text} ${scope.boundTo}`)
  return base64url(new TextEncoder().encode(`${text}.${signature}`))
}

/** Whether a challenge was issued in this scope and has not expired. Its use is up to `addChallengeUse`. */
export async function isLiveChallenge(ctx: Ctx, challenge: string, scope: ChallengeScope): Promise<boolean> {
  const [expiry = '', random = '', signature = ''] = decode(challenge).split('.')
  const isOurs = await verify(
    ctx.config.secrets,
    purposeOf(scope),
    `${expiry}.${random} ${scope.boundTo}`,
    signature,
  )
  return isOurs && Number.parseInt(expiry, 36) > ctx.clock.now().getTime()
}

/** Adds the use of a challenge to `changes`: the commit throws `refusal` if it was answered before. */
export async function addChallengeUse(
  ctx: Ctx,
  changes: Changes,
  challenge: string,
  refusal: AppError,
): Promise<void> {
  const challengeHash = await sha256(`challenge ${challenge}`)
  const expiresAt = new Date(ctx.clock.now().getTime() + challengeMilliseconds)
  changes
    .require(
      sql`not exists (select 1 from ${usedChallenges} where ${usedChallenges.challengeHash} = ${challengeHash})`,
      refusal,
    )
    .add(ctx.db.insert(usedChallenges).values({ challengeHash, expiresAt }))
}

function purposeOf({ purpose }: ChallengeScope): string {
  return `passkey challenge for ${purpose}`
}

function decode(challenge: string): string {
  if (!/^[\w-]{1,400}$/.test(challenge) || challenge.length % 4 === 1) return ''
  return new TextDecoder().decode(Uint8Array.fromBase64(challenge, { alphabet: 'base64url' }))
}
