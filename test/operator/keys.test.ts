import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accountKeys } from '../../src/db/schema'
import { instanceActorId } from '../../src/lib/ids'
import { anonymous, as } from '../support/as'
import { givenOwner } from '../support/given-staff'
import { context } from '../support/test-app'

const setup = as('a setup token for tests')
const path = '/setup/keys/check'
const nonce = 'a-nonce-of-a-test-0001'
const Proof = z.object({ text: z.string(), signature: z.string() })
const Actor = z.object({ publicKey: z.object({ publicKeyPem: z.string() }) })

async function keyOf(pem: string): Promise<CryptoKey> {
  const der = Uint8Array.fromBase64(pem.replaceAll(/-----[^-]+-----|\s/g, ''))
  return crypto.subtle.importKey('spki', der, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, [
    'verify',
  ])
}

describe('POST /setup/keys/check', () => {
  it('signs a text of its own by the key that other servers read', async () => {
    const { text, signature } = Proof.parse((await setup.post(path, { nonce })).body)
    expect(text).toBe(`fieldfare key check ${nonce}`)
    const headers = { accept: 'application/activity+json' }
    const actor = Actor.parse((await anonymous.get('/actor', { headers })).body)
    const bytes = new TextEncoder().encode(text)
    const key = await keyOf(actor.publicKey.publicKeyPem)
    expect(await crypto.subtle.verify(key.algorithm, key, Uint8Array.fromBase64(signature), bytes)).toBe(true)
  })

  it('signs nothing that could be a request, and nothing for members', async () => {
    for (const other of ['(request-target): get /', 'short', `${nonce}\n`, 'x'.repeat(65)])
      expect((await setup.post(path, { nonce: other })).status).toBe(422)
    expect((await anonymous.post(path, { nonce })).status).toBe(401)
    expect((await as(await givenOwner()).post(path, { nonce })).status).toBe(200)
  })

  it('fails where the stored key does not open', async () => {
    await setup.post(path, { nonce })
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
