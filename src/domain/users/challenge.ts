import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, map, oneRow, type Query } from '../../db/query'
import { usedChallenges } from '../../db/schema'
import { type AppError, InvalidFields } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import { type InstanceSecret, sha256, signWith } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/** Time in which a page may be left open before its form is sent. */
const challengeMilliseconds = 2 * 3_600_000

/** Iterations of PBKDF2 for each counter that is tried: this server derives one key for a challenge, about a millisecond. */
const cost = 5_000

/** Bounds of the counter to find, and so of the work: about a second on a desktop computer, four on an old phone. */
const counters = { least: 400, most: 800 }

const mostCharacters = 4_096
const Hex = z.string().regex(/^(?:[0-9a-f]{2}){1,64}$/)

/** Answer of a browser: the challenge as it was issued, and its solution. */
const Answer = z.object({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      nonce: Hex,
      salt: Hex,
      cost: z.literal(cost),
      keyLength: z.literal(32),
      keyPrefix: Hex,
      keySignature: Hex,
      data: z.strictObject({ expires: z.int() }),
    }),
    signature: Hex,
  }),
  solution: z.object({ counter: z.int().min(0).max(0xff_ff_ff_ff), derivedKey: Hex }),
})

/** A solved challenge, by the hash under which its use is stored. */
export interface SolvedChallenge {
  readonly kind: 'solved'
  readonly hash: string
  readonly expiresAt: Date
}

export type SolutionCheck = SolvedChallenge | { readonly kind: 'missing' | 'wrong' | 'expired' }

/**
 * Issues a proof-of-work challenge for one sign-up, signed by secrets of this server. Nothing is stored: a page that is
 * shown costs no write.
 */
export async function issueChallenge(ctx: Ctx): Promise<Challenge> {
  const expires = ctx.clock.now().getTime() + challengeMilliseconds
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    counter: randomInt(counters.most, counters.least),
    // Not the field of the library, which reads the clock of the machine.
    data: { expires },
    deriveKey,
    ...(await secretsOf(ctx, ctx.config.secrets.current)),
  })
}

/** Checks the answer of a browser by signatures alone. Whether it was used before is up to `isChallengeUsed`. */
export async function checkSolution(ctx: Ctx, text: string): Promise<SolutionCheck> {
  if (text === '') return { kind: 'missing' }
  const answer = parseAnswer(text)
  if (answer === null) return { kind: 'wrong' }
  if (!(await isOwnSolution(ctx, answer))) return { kind: 'wrong' }
  const { nonce, data } = answer.challenge.parameters
  if (data.expires <= ctx.clock.now().getTime()) return { kind: 'expired' }
  return {
    kind: 'solved',
    hash: await sha256(`sign-up challenge ${nonce}`),
    expiresAt: new Date(data.expires),
  }
}

/** Whether the challenge was issued here, under any accepted secret, and is solved. */
async function isOwnSolution(ctx: Ctx, answer: z.output<typeof Answer>): Promise<boolean> {
  for (const secret of ctx.config.secrets.accepted) {
    const { verified } = await verifySolution({ ...answer, deriveKey, ...(await secretsOf(ctx, secret)) })
    if (verified) return true
  }
  return false
}

/** Whether a solved challenge was used for a sign-up before. One statement. */
export function isChallengeUsed(ctx: Ctx, { hash }: SolvedChallenge): Query<boolean> {
  const used = sql<number>`${isUsed(hash)}`
  return map(first(ctx.db.select({ used: used.as('used') }).from(oneRow)), (row) => row?.used === 1)
}

/** Adds the use of a challenge to `changes`: of two at once, the commit of the second is `Invalid`. One row. */
export function addChallengeUse(ctx: Ctx, changes: Changes, { hash, expiresAt }: SolvedChallenge): Changes {
  return changes
    .require(sql`not ${isUsed(hash)}`, challengeRefused('used'))
    .add(ctx.db.insert(usedChallenges).values({ challengeHash: hash, expiresAt }))
}

export type ChallengeProblem = 'missing' | 'wrong' | 'expired' | 'used'

export function challengeProblem(kind: ChallengeProblem): Problem {
  return problem(`challenge_${kind}`, { field: 'challenge' })
}

export function challengeRefused(kind: ChallengeProblem): AppError {
  return new InvalidFields([challengeProblem(kind)])
}

function isUsed(hash: string) {
  return sql`exists (select 1 from ${usedChallenges} where challenge_hash = ${hash})`
}

/** Secrets of this server at this address: one signs the parameters, the other the key to find. */
async function secretsOf({ config }: Ctx, secret: InstanceSecret) {
  const [hmacSignatureSecret, hmacKeySignatureSecret] = await Promise.all(
    ['sign-up challenge', 'key of a sign-up challenge'].map((purpose) =>
      signWith(secret, purpose, config.origin),
    ),
  )
  if (hmacSignatureSecret === undefined || hmacKeySignatureSecret === undefined)
    throw new Error('A secret is missing')
  return { hmacSignatureSecret, hmacKeySignatureSecret }
}

function parseAnswer(text: string): z.output<typeof Answer> | null {
  if (text.length > mostCharacters || !/^[\w+/]+={0,2}$/.test(text)) return null
  try {
    const parsed = Answer.safeParse(JSON.parse(atob(text)))
    return parsed.success ? parsed.data : null
  } catch (failure) {
    if (failure instanceof SyntaxError || failure instanceof DOMException) return null
    throw failure
  }
}
