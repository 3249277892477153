import { Hono } from 'hono'
import * as z from 'zod'
import { instanceActorUri, keyIdOf } from '../contract/addresses'
import { instanceActorId } from '../contract/ids'
import { execute } from '../db/query'
import { ensureInstanceActor, findInstanceActor } from '../domain/instance/keys'
import { publicUrlOf } from '../lib/signatures/message'
import { type SigningKey, signRequest } from '../lib/signatures/sign'
import { findSignatureProblem, isSignedBy, readSignature } from '../lib/signatures/verify'
import type { Ctx } from '../ports/ctx'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Nonce = z.object({
  nonce: z.string().regex(/^[\w-]{16,64}$/, 'has to be of 16 to 64 letters and digits'),
})

const schemes = ['cavage', 'rfc9421'] as const

/** Proof that this server signs and verifies requests, which a deployment asks for. Mounted behind the set-up token. */
export function keyRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  // Addressed to this server alone: what is signed here proves nothing elsewhere.
  app.post('/setup/keys/sign', async (c) => {
    const ctx = c.get('ctx')
    const { nonce } = await readInput(c, Nonce)
    const { privateKey } = await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
    const key: SigningKey = {
      keyId: keyIdOf(instanceActorUri(ctx.config.origin)),
      sign: (bytes) => ctx.vault.sign(privateKey, bytes, instanceActorId),
    }
    const request = {
      method: 'POST' as const,
      url: `${ctx.config.origin}/setup/keys/verify?nonce=${nonce}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ nonce }),
    }
    const now = ctx.clock.now()
    const signed = schemes.map(async (scheme) => ({
      scheme,
      ...(await signRequest(request, { key, scheme, now })),
    }))
    return c.json({ requests: await Promise.all(signed) })
  })
  app.post('/setup/keys/verify', async (c) => {
    const reason = await problemOfSignature(c.get('ctx'), c.req.raw)
    return reason === null ? c.json({}) : c.json({ error: `The signature does not hold: ${reason}` }, 401)
  })
  return app
}

/** Reason why a request is not signed by this server itself, checked as those of other servers are; null where it is. */
async function problemOfSignature(ctx: Ctx, request: Request): Promise<string | null> {
  const claim = readSignature(request.headers)
  if (claim.kind === 'unsigned') return 'there is none'
  if (claim.kind === 'malformed') return claim.reason
  const { signature } = claim
  const message = {
    method: request.method,
    headers: request.headers,
    body: await ctx.bodies.read(request, 'delivery'),
    url: publicUrlOf(ctx.config.origin, request.url),
  }
  const problem = await findSignatureProblem(signature, message, ctx.clock.now())
  if (problem !== null) return problem
  const actor = await execute(ctx.db, findInstanceActor(ctx))
  if (actor === null || signature.keyId !== keyIdOf(instanceActorUri(ctx.config.origin)))
    return 'it is of another actor'
  return (await isSignedBy(actor.publicKey, signature, message)) ? null : 'it does not fit the key'
}
