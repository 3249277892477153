import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import * as z from 'zod'

const Carried = z.looseObject({ parameters: z.looseObject({ data: z.object({ expires: z.int() }) }) })

/** The challenge that a page carries, as its script reads it; null where there is none. */
export function challengeIn(html: string): Challenge | null {
  const [, text] = /data-challenge="([^"]*)"/.exec(html) ?? []
  if (text === undefined) return null
  const challenge: unknown = JSON.parse(text.replaceAll('&quot;', '"'))
  Carried.parse(challenge)
  return challenge as Challenge
}

/** Counter that no challenge of this server is solved below; browsers begin at 0 and take three times as long. */
const leastCounter = 400

/** Solves a challenge with the library of the page's script, and returns what the form sends. */
export async function solved(challenge: Challenge | null, counterStart = leastCounter): Promise<string> {
  if (challenge === null) throw new Error('The page carries no challenge')
  const solution = await solveChallenge({ challenge, counterStart, deriveKey, timeout: 60_000 })
  if (solution === null) throw new Error(`The challenge has no solution from ${counterStart} on`)
  return btoa(JSON.stringify({ challenge, solution }))
}

/** A challenge as a server with these secrets would issue it, easily solved. */
export function foreignChallenge(
  secrets: { readonly hmacSignatureSecret: string; readonly hmacKeySignatureSecret: string },
  expires: number,
): Promise<Challenge> {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 5_000,
    counter: 1,
    data: { expires },
    deriveKey,
    ...secrets,
  })
}
