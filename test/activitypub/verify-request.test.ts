import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute, first } from '../../src/db/query'
import { accounts, actorKeys } from '../../src/db/schema'
import { expectCosts } from '../support/expect-costs'
import { fediverse } from '../support/fediverse'
import { testKey } from '../support/fediverse/keys'
import { given } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { clock, context, settleLateWork } from '../support/test-app'
import { verify } from '../support/verify-signature'

const { db } = context()
const { network } = fediverse

const accountAt = (uri: string) => execute(db, first(db.select().from(accounts).where(eq(accounts.uri, uri))))
const minute = 60_000

describe('a request signed with a known key', () => {
  it.each(['cavage', 'rfc9421'] as const)(
    'attributes the request to the key’s owner, by %s, with one look-up [T-998]',
    async (signature) => {
      const peer = await given.peer()

      const { verdict, costs, fetches } = await verify({ keyId: peer.keyId, key: peer.key, signature })

      expect(verdict).toMatchObject({ kind: 'signed', signer: { id: peer.id, uri: peer.uri } })
      expectCosts(costs, { trips: 1, rowsWritten: 0 })
      expect(fetches).toEqual([])
    },
  )

  it('verifies a GET without a body', async () => {
    const peer = await given.peer({ keyKind: 'ed25519' })

    const { verdict } = await verify({ keyId: peer.keyId, key: peer.key, method: 'GET', path: '/users/x' })

    expect(verdict).toMatchObject({ kind: 'signed', signer: { id: peer.id } })
  })

  it('refuses a request whose body, path or time differs from the signed one [T-150]', async () => {
    const peer = await given.peer()
    const signing = { keyId: peer.keyId, key: peer.key }

    for (const forged of [
      { bodyInstead: '{"type":"Delete"}' },
      { pathInstead: '/users/alice/inbox' },
      { at: new Date(clock.now().getTime() - 13 * 60 * minute) },
    ])
      expect((await verify({ ...signing, ...forged })).verdict.kind).toBe('refused')
  })

  it('reports a suspended server as suspended', async () => {
    const peer = await given.peer()
    await domainLimit(peer.host, 'suspend')

    const { verdict } = await verify({ keyId: peer.keyId, key: peer.key })

    expect(verdict).toMatchObject({ kind: 'signed', signer: { suspended: true } })
  })
})

describe('a request signed with a key whose id another actor of its server listed first', () => {
  it('attributes the request to neither the owner nor the signer', async () => {
    const thief = await given.peer({ keyKind: 'rsa-other' })
    const owner = await fediverse.actor({ host: thief.host, software: 'gotosocial' })
    const row = { keyId: owner.keyId, accountId: thief.id, publicKey: thief.key.publicPem }
    await db.insert(actorKeys).values({ ...row, createdAt: clock.now() })

    const { verdict } = await verify({ keyId: owner.keyId, key: owner.key })

    expect(verdict).toEqual({ kind: 'refused', reason: 'The key belongs to another actor' })
  })
})

describe('a request without a usable signature', () => {
  it('a request without signature is unsigned, and one with a malformed signature is refused', async () => {
    const { verifyRequest } = await import('../../src/activitypub/verify-request')
    const request = (headers: HeadersInit) => new Request('https://fieldfare.test/inbox', { headers })
    const judged = (headers: HeadersInit) => verifyRequest(context(), request(headers), null)

    expect(await judged({})).toEqual({ kind: 'unsigned' })
    expect(await judged({ signature: 'nonsense' })).toMatchObject({ kind: 'refused' })
  })

  it('refuses a request whose key id is not an address', async () => {
    const { verdict, costs } = await verify({ keyId: 'urn:uuid:1', key: 'rsa' })

    expect(verdict).toMatchObject({ kind: 'refused' })
    expect(costs.trips).toBe(0)
  })
})

describe('a request signed with an unknown key', () => {
  it.each(['mastodon', 'gotosocial', 'misskey', 'akkoma', 'fedify'] as const)(
    'stores the actor of a %s server [T-151]',
    async (software) => {
      const peer = await fediverse.actor({ software })

      const { verdict } = await verify({ keyId: peer.keyId, key: peer.key })

      expect(verdict).toMatchObject({
        kind: 'signed',
        signer: { uri: peer.uri, username: peer.username, domain: peer.host, followers: peer.at.followers },
      })
      expect(await accountAt(peer.uri)).toMatchObject({ username: peer.username, domain: peer.host })
    },
  )

  it('verifies an unknown Ed25519 key [T-152]', async () => {
    const peer = await fediverse.actor({ keyKind: 'ed25519' })

    const { verdict } = await verify({ keyId: peer.keyId, key: peer.key, signature: 'rfc9421' })

    expect(verdict).toMatchObject({ kind: 'signed', signer: { uri: peer.uri } })
  })

  it('stores no actor before the signature is verified', async () => {
    const peer = await fediverse.actor()

    const { verdict, costs } = await verify({ keyId: peer.keyId, key: 'rsa-other' })

    expect(verdict).toMatchObject({ kind: 'refused' })
    expect(costs.rowsWritten).toBe(0)
    expect(await accountAt(peer.uri)).toBeNull()
  })

  it('rejects a foreign owner in the document of a key [T-153]', async () => {
    const victim = await given.peer()
    const other = await testKey('rsa-other')
    const keyId = 'https://evil-verify.test/key'
    network.serve(keyId, {
      '@context': 'https://w3id.org/security/v1',
      id: keyId,
      type: 'CryptographicKey',
      owner: victim.uri,
      publicKeyPem: other.publicPem,
    })

    const { verdict } = await verify({ keyId, key: other })

    expect(verdict).toMatchObject({ kind: 'refused' })
    expect(victim.fetched()).toBe(0)
    expect(await db.select().from(actorKeys).where(eq(actorKeys.keyId, keyId))).toEqual([])
  })

  it('refuses a key that its owner does not list, though its document names that owner', async () => {
    const peer = await fediverse.actor()
    const other = await testKey('rsa-other')
    const keyId = `${peer.at.origin}/uploads/key.json`
    network.serve(keyId, { id: keyId, type: 'Key', owner: peer.uri, publicKeyPem: other.publicPem })

    expect((await verify({ keyId, key: other })).verdict).toMatchObject({ kind: 'refused' })
  })

  it('accepts a bare key document that leads to an actor listing the key', async () => {
    const keyId = 'https://bare-verify.test/keys/1'
    const key = await testKey('rsa')
    const uri = 'https://bare-verify.test/users/bare'
    const publicKey = { id: keyId, owner: uri, publicKeyPem: key.publicPem }
    const peer = await fediverse.actor({
      host: 'bare-verify.test',
      username: 'bare',
      document: { publicKey },
    })
    network.serve(keyId, { ...publicKey, type: 'CryptographicKey' })

    expect((await verify({ keyId, key })).verdict).toMatchObject({
      kind: 'signed',
      signer: { uri: peer.uri },
    })
  })

  it('refuses an actor document that claims to be at another address', async () => {
    const victim = await fediverse.actor()
    const other = await testKey('rsa-other')
    const address = 'https://posing-verify.test/users/mallory'
    const keyId = `${address}#main-key`
    network.serve(address, {
      ...victim.document,
      publicKey: { id: keyId, owner: victim.uri, publicKeyPem: other.publicPem },
    })

    expect((await verify({ keyId, key: other })).verdict).toMatchObject({ kind: 'refused' })
  })

  it('reports the actor as gone when its server answers 410, and does not fetch it again for a while [T-154]', async () => {
    const peer = await fediverse.actor()
    network.gone(peer.uri)

    expect((await verify({ keyId: peer.keyId, key: peer.key })).verdict).toEqual({ kind: 'gone' })
    const again = await verify({ keyId: peer.keyId, key: peer.key })

    expect(again.verdict).toEqual({ kind: 'gone' })
    expect(again.fetches).toEqual([])
  })

  it('reports a temporary failure when the server of the key does not answer', async () => {
    const peer = await fediverse.actor()
    network.fail(peer.uri, { status: 503, times: 1 })
    const signing = { keyId: peer.keyId, key: peer.key }

    expect((await verify(signing)).verdict).toMatchObject({ kind: 'retry' })
    clock.advance(minute)
    expect((await verify(signing)).verdict).toMatchObject({ kind: 'signed' })
  })

  it('refuses a missing or unusable key, without fetching it again each time', async () => {
    const keyId = 'https://nothing-verify.test/users/x#main-key'
    network.missing(keyId)

    expect((await verify({ keyId, key: 'rsa' })).verdict).toMatchObject({ kind: 'refused' })
    expect((await verify({ keyId, key: 'rsa' })).fetches).toEqual([])
  })

  it('does not fetch a key from a suspended server', async () => {
    const peer = await fediverse.actor()
    await domainLimit(peer.host, 'suspend')

    const { verdict, fetches } = await verify({ keyId: peer.keyId, key: peer.key })

    expect(verdict).toMatchObject({ kind: 'refused' })
    expect(fetches).toEqual([])
  })

  it('a forgery does not lock out the owner of the key', async () => {
    const peer = await fediverse.actor()

    expect((await verify({ keyId: peer.keyId, key: 'rsa-other' })).verdict.kind).toBe('refused')
    const forgedAgain = await verify({ keyId: peer.keyId, key: 'rsa-other' })
    const genuine = await verify({ keyId: peer.keyId, key: peer.key })

    expect(forgedAgain.fetches).toEqual([])
    expect(genuine.verdict).toMatchObject({ kind: 'signed', signer: { uri: peer.uri } })
  })
})

describe('a known key that does not verify', () => {
  it('fetches a changed key once [T-999]', async () => {
    const peer = await given.peer()
    const other = await testKey('rsa-other')
    network.serve(peer.uri, {
      ...peer.document,
      publicKey: { id: peer.keyId, owner: peer.uri, publicKeyPem: other.publicPem },
    })

    const { verdict } = await verify({ keyId: peer.keyId, key: other })

    expect(verdict).toMatchObject({ kind: 'signed', signer: { id: peer.id } })
    expect((await verify({ keyId: peer.keyId, key: other })).fetches).toEqual([])
  })

  it('fetches a failing key at most once in five minutes, however many forgeries arrive [T-155]', async () => {
    const peer = await given.peer()
    const forged = () => verify({ keyId: peer.keyId, key: 'rsa-other' })

    expect((await forged()).verdict.kind).toBe('refused')
    await forged()
    await forged()
    expect(peer.fetched()).toBe(1)

    clock.advance(6 * minute)
    await forged()
    expect(peer.fetched()).toBe(2)
  })

  it('reports the key of a deleted actor as gone', async () => {
    const peer = await given.peer()
    network.gone(peer.uri)

    expect((await verify({ keyId: peer.keyId, key: 'rsa-other' })).verdict).toEqual({ kind: 'gone' })
  })

  it('does not fetch the key of a suspended actor', async () => {
    const peer = await given.peer()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, peer.id))

    const { verdict, fetches } = await verify({ keyId: peer.keyId, key: 'rsa-other' })

    expect(verdict.kind).toBe('refused')
    expect(fetches).toEqual([])
  })
})

describe('an actor whose document was read a day ago', () => {
  it('refreshes a day-old actor after the answer, once [T-156]', async () => {
    const peer = await given.peer()
    network.serve(peer.uri, { ...peer.document, name: 'Renamed' })
    clock.advance(25 * 60 * minute)
    const signing = { keyId: peer.keyId, key: peer.key }

    await Promise.all([verify(signing), verify(signing)])
    await settleLateWork()

    expect(await accountAt(peer.uri)).toMatchObject({ displayName: 'Renamed' })
    expect(peer.fetched()).toBe(1)
    await verify(signing)
    await settleLateWork()
    expect(peer.fetched()).toBe(1)
  })

  it('skips the refresh for another day when the server does not answer', async () => {
    const peer = await given.peer()
    network.fail(peer.uri, { status: 500 })
    clock.advance(25 * 60 * minute)

    expect((await verify({ keyId: peer.keyId, key: peer.key })).verdict.kind).toBe('signed')
    await settleLateWork()
    const asked = peer.fetched()
    await verify({ keyId: peer.keyId, key: peer.key })
    await settleLateWork()

    expect(peer.fetched()).toBe(asked)
  })
})
