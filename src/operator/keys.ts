import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { rotateKeys } from '../domain/accounts/rotate-keys'
import { ensureInstanceActor, findInstanceActor } from '../domain/instance/actor'
import { findMemberByUsername } from '../domain/users/find'
import { NotFound } from '../errors'
import { instanceActorId } from '../lib/ids'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ username: z.string() })
const Nonce = z.object({
  nonce: z.string().regex(/^[\w-]{16,64}$/, 'has to be of 16 to 64 letters and digits'),
})

/**
 * New keys for an account whose old one may be compromised, and proof that stored keys open. Mounted behind the set-up
 * token.
 */
export function keyRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/rotate-keys', async (c) => {
    const ctx = c.get('ctx')
    const { username } = await readInput(c, Named)
    const member = await execute(ctx.db, findMemberByUsername(ctx, username))
    if (member === null) throw new NotFound()
    await rotateKeys(ctx, c.get('moderator'), member.accountId)
    return c.json({})
  })
  // Of a text that no request to another server could hold: what is signed here proves nothing elsewhere.
  app.post('/setup/keys/check', async (c) => {
    const ctx = c.get('ctx')
    const text = `fieldfare key check ${(await readInput(c, Nonce)).nonce}`
    const { privateKey } = await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
    const signature = await ctx.vault.sign(privateKey, new TextEncoder().encode(text), instanceActorId)
    return c.json({ text, signature: signature.toBase64() })
  })
  return app
}
