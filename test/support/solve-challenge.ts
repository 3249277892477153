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

/** Solves a challenge as the script of the page does, with the same library, and returns what the form sends. */
export async function solved(challenge: Challenge | null): Promise<string> {
  if (challenge === null) throw new Error('The page carries no challenge')
  return btoa(
    JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey, timeout: 0 }) }),
  )
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
