import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountKeys, accounts } from '../../../src/db/schema'
import { rotateKeys } from '../../../src/domain/accounts/rotate-keys'
import { operator } from '../../../src/domain/policy/permissions'
import { NotFound } from '../../../src/errors'
import { isSignedBy, readSignature } from '../../../src/lib/signatures/verify'
import { as } from '../../support/as'
import { ManualCourier } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { clock, context } from '../../support/test-app'

const { network } = fediverse
const day = 24 * 3_600_000

async function keysOf({ id }: { readonly id: number }) {
  const { db } = context()
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id))
  const [sealed] = await db.select().from(accountKeys).where(eq(accountKeys.accountId, id))
  return { publicKey: account?.publicKey ?? '', privateKey: sealed?.privateKey ?? '', sealed }
}

const bytes = new TextEncoder().encode('a text')

async function confirm(publicKey: string, signature: Uint8Array): Promise<boolean> {
  const der = Uint8Array.fromBase64(publicKey.replaceAll(/-----[^-]+-----|\s/g, ''))
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('spki', der, rsa, false, ['verify'])
  return crypto.subtle.verify(rsa, key, signature, bytes)
}

describe('rotating keys', () => {
  it('serves the new key and signs with it immediately, and keeps the old one aside', async () => {
    const alice = await given.account()
    const before = await keysOf(alice)
    await rotateKeys(context(), operator, alice.id)
    const after = await keysOf(alice)
    expect(after.publicKey).not.toBe(before.publicKey)
    const signature = await context().vault.sign(after.privateKey, bytes, alice.id)
    expect(await confirm(after.publicKey, signature)).toBe(true)
    expect(await confirm(before.publicKey, signature)).toBe(false)
    expect(after.sealed).toMatchObject({ previousPrivateKey: before.privateKey, rotatedAt: clock.now() })
  })

  it('rotates no keys of remote and unknown accounts', async () => {
    const remote = await given.remoteAccount()
    await expect(rotateKeys(context(), operator, remote.id)).rejects.toThrow(NotFound)
    await expect(rotateKeys(context(), operator, 1)).rejects.toThrow(NotFound)
  })

  it('operators rotate keys of an account, and members do not', async () => {
    const alice = await given.account()
    const before = await keysOf(alice)
    const setup = as('a-setup-token-for-tests')
    const path = (id: number) => `/api/fieldfare/v1/admin/accounts/${id}/rotate_keys`
    expect((await setup.post(path(alice.id))).status).toBe(200)
    expect((await keysOf(alice)).publicKey).not.toBe(before.publicKey)
    expect((await setup.post(path(7))).status).toBe(404)
    expect((await as(alice).post(path(alice.id))).status).toBe(403)
  })
})

let made = 0

/** A server that knows a key of `sender` and believes no other, nor reads documents again. */
async function stubborn(sender: TestAccount) {
  made += 1
  const host = `rotation${made}.test`
  const inbox = `https://${host}/inbox`
  const { publicKey } = await keysOf(sender)
  network.respond(inbox, async (request) => {
    const claim = readSignature(request.headers)
    if (claim.kind !== 'claimed') return new Response('', { status: 401 })
    const body = new Uint8Array(await request.arrayBuffer())
    const message = { method: 'POST', url: inbox, headers: request.headers, body }
    return new Response('', { status: (await isSignedBy(publicKey, claim.signature, message)) ? 202 : 401 })
  })
  return { host, inbox }
}

/** Lets a courier deliver something of `sender`, whose keys were changed so many days ago. */
async function deliver(
  sender: TestAccount,
  server: { readonly host: string; readonly inbox: string },
  days: number,
) {
  const { host, inbox } = server
  const courier = new ManualCourier(host)
  const rotatedAt = new Date(courier.clock.now().getTime() - days * day)
  await context().db.update(accountKeys).set({ rotatedAt }).where(eq(accountKeys.accountId, sender.id))
  const keyId = `https://fieldfare.test/users/${sender.username}#main-key`
  const more = { senderId: sender.id, keyId, body: '{"type":"Update"}' }
  await courier.hand({ id: '1/0', order: 1, inboxes: [inbox], ...more })
  await courier.ring()
  return network.requests(inbox, 'POST').map(({ status }) => status)
}

describe('deliveries after a key rotation', () => {
  it('signs the last delivery with the old key, so that the other server can fetch the new one', async () => {
    const alice = await given.account()
    const server = await stubborn(alice)
    await rotateKeys(context(), operator, alice.id)
    expect(await deliver(alice, server, 6)).toEqual([401, 401, 202])
  })

  it('signs only with the new key after the transition', async () => {
    const alice = await given.account()
    const server = await stubborn(alice)
    await rotateKeys(context(), operator, alice.id)
    expect(await deliver(alice, server, 8)).toEqual([401, 401])
  })
})
