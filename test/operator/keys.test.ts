import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { instanceActorId } from '../../src/contract/ids'
import { accountKeys } from '../../src/db/schema'
import { findSignatureProblem, isSignedBy, readSignature } from '../../src/lib/signatures/verify'
import { anonymous, as } from '../support/as'
import { givenOwner } from '../support/given-staff'
import { context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const path = '/setup/keys/sign'
const nonce = 'a-nonce-of-a-test-0001'
const Signed = z.object({
  requests: z.array(
    z.object({
      scheme: z.string(),
      method: z.literal('POST'),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
})
const Actor = z.object({ publicKey: z.object({ publicKeyPem: z.string() }) })
type Request = z.output<typeof Signed>['requests'][number]

const signed = async () => Signed.parse((await setup.post(path, { nonce })).body).requests

/** Answer of the server to a request that was signed, or changed afterwards. */
function verdict({ url, headers, body }: Request) {
  const { pathname, search } = new URL(url)
  return setup.post(pathname + search, JSON.parse(body), { headers })
}

describe('POST /setup/keys/sign', () => {
  it('signs a request in each scheme by the key that other servers read', async () => {
    const headers = { accept: 'application/activity+json' }
    const actor = Actor.parse((await anonymous.get('/actor', { headers })).body)
    const requests = await signed()
    expect(requests.map(({ scheme }) => scheme)).toEqual(['cavage', 'rfc9421'])
    for (const { method, url, headers: fields, body } of requests) {
      const message = { method, url, headers: new Headers(fields), body: new TextEncoder().encode(body) }
      const claim = readSignature(message.headers)
      if (claim.kind !== 'claimed') throw new Error(`The request is ${claim.kind}`)
      expect(await findSignatureProblem(claim.signature, message, context().clock.now())).toBeNull()
      expect(await isSignedBy(actor.publicKey.publicKeyPem, claim.signature, message)).toBe(true)
    }
  })

  it('signs requests to this server alone, and nothing for members', async () => {
    const { origin } = context().config
    for (const { url } of await signed()) expect(url).toBe(`${origin}/setup/keys/verify?nonce=${nonce}`)
    for (const other of ['(request-target): get /', 'short', `${nonce}\n`, 'x'.repeat(65)])
      expect((await setup.post(path, { nonce: other })).status).toBe(422)
    expect((await anonymous.post(path, { nonce })).status).toBe(401)
    expect((await as(await givenOwner()).post(path, { nonce })).status).toBe(200)
  })

  it('fails where the stored key does not open', async () => {
    await signed()
    const stored = eq(accountKeys.accountId, instanceActorId)
    const { db } = context()
    const [before] = await db.select().from(accountKeys).where(stored)
    await db.update(accountKeys).set({ privateKey: 'sealed.by.another.secret' }).where(stored)
    expect((await setup.post(path, { nonce })).status).toBe(500)
    await db
      .update(accountKeys)
      .set({ privateKey: before?.privateKey ?? '' })
      .where(stored)
  })
})

describe('POST /setup/keys/verify', () => {
  it('lets through what this server signed, and nothing that was changed since', async () => {
    for (const request of await signed()) {
      const { headers, url } = request
      expect(await verdict(request)).toMatchObject({ status: 200 })
      const { signature: _taken, 'signature-input': _input, ...unsigned } = headers
      const other = headers['signature']?.replace(/.(?=.{40}$)/, (one) => (one === 'A' ? 'B' : 'A')) ?? ''
      const changed = [
        { ...request, headers: unsigned },
        { ...request, headers: { ...headers, signature: other } },
        { ...request, body: JSON.stringify({ nonce: 'a-nonce-of-a-test-0002' }) },
        { ...request, url: `${url}0` },
      ]
      for (const forgery of changed) expect(await verdict(forgery)).toMatchObject({ status: 401 })
    }
  })
})
