import { beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { accounts, instances } from '../../src/db/schema'
import { ensureInstanceActor, findInstanceActor } from '../../src/domain/instance/keys'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { freshIp } from '../support/oauth'
import { clock, context } from '../support/test-app'
import { type Verified, verify } from '../support/verify-signature'

/** Forged signatures name keys of others: how often those are asked for them is counted at their servers. */

const { network } = fediverse

// Made once in the life of a server.
beforeAll(async () => {
  const ctx = context()
  await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
})

const minute = 60_000
const batch = Array.from({ length: 100 }, (_, index) => index)
let hosts = 0

/** A server that has nothing of what it is asked for. */
function victim(respond = () => new Response('', { status: 404 })): string {
  hosts += 1
  const host = `victim${hosts}.test`
  network.serveHost(host, respond)
  return host
}

const fetchesAt = (host: string) => network.requests(`https://${host}/`, 'GET')
const keyAt = (host: string, index = 0) => `https://${host}/users/u${index}#main-key`

async function forge(keyIds: readonly string[], ipOf: () => string): Promise<readonly Verified[]> {
  const verified: Verified[] = []
  for (const keyId of keyIds) verified.push(await verify({ keyId, key: 'ed25519', ip: ipOf() }))
  return verified
}

const kinds = (verified: readonly Verified[]) => new Set(verified.map(({ verdict }) => verdict.kind))
const rowsIn = (verified: readonly Verified[]) =>
  verified.reduce((sum, { costs }) => sum + costs.rowsWritten, 0)

describe('a hundred forged signatures', () => {
  it('forged signatures with keys of one server from one network cause thirty requests and store no row [T-001]', async () => {
    const [host, ip] = [victim(), freshIp()]

    const verified = await forge(
      batch.map((index) => keyAt(host, index)),
      () => ip,
    )

    expect(fetchesAt(host)).toHaveLength(30)
    expect(verified.slice(30).map(({ verdict }) => verdict.kind)).toEqual(batch.slice(30).map(() => 'retry'))
    expect(rowsIn(verified)).toBe(0)
  })

  it('forged signatures with keys of as many servers from one network cause thirty requests in all', async () => {
    const [victims, ip] = [batch.map(() => victim()), freshIp()]

    await forge(
      victims.map((host) => keyAt(host)),
      () => ip,
    )

    const asked = victims.map((host) => fetchesAt(host).length)
    expect(Math.max(...asked)).toBe(1)
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(30)
  })

  it('forged signatures with keys of known actors have the same limit', async () => {
    const ip = freshIp()
    const peers = await Promise.all(batch.slice(0, 40).map(() => given.peer()))
    for (const { keyId } of peers) await verify({ keyId, key: 'rsa-other', ip })
    expect(peers.reduce((sum, peer) => sum + peer.fetched(), 0)).toBe(30)
  })

  it('forged signatures to documents have the same limit as to inboxes', async () => {
    const [host, ip] = [victim(), freshIp()]
    const path = `/users/${(await given.account()).username}`
    for (const index of batch)
      await verify({ keyId: keyAt(host, index), key: 'ed25519', ip, method: 'GET', path })
    expect(fetchesAt(host)).toHaveLength(30)
  })

  it('forged signatures from as many networks cost one server a hundred requests a minute, whatever is sent', async () => {
    const host = victim()
    const keyIds = Array.from({ length: 130 }, (_, index) => keyAt(host, index))

    await forge(keyIds, freshIp)
    expect(fetchesAt(host)).toHaveLength(100)

    clock.advance(minute)
    await forge([keyAt(host, 999)], freshIp)
    expect(fetchesAt(host)).toHaveLength(101)
  })

  it('forged signatures do not lock out the server they claim to be', async () => {
    const ip = freshIp()
    const known = await given.peer()
    const newcomer = await fediverse.actor({ host: known.host })
    const genuine = { key: known.key, ip }
    expect((await verify({ ...genuine, keyId: known.keyId })).verdict.kind).toBe('signed')

    const forged = Array.from({ length: 130 }, (_, index) => keyAt(known.host, index))
    const verified = await forge(forged, freshIp)

    expect(verified.at(-1)?.verdict.kind).toBe('retry')
    expect((await verify({ ...genuine, keyId: newcomer.keyId })).verdict.kind).toBe('signed')
  })

  it('forged signatures with one key fetch it once [T-002]', async () => {
    const host = victim()
    await forge(
      batch.map(() => keyAt(host)),
      freshIp,
    )
    expect(fetchesAt(host)).toHaveLength(1)
  })
})

describe('a server whose keys are fetched', () => {
  it('a server with unknown keys is not contacted for a growing time when it does not answer, whichever request names its keys [T-003]', async () => {
    const host = victim()
    const mend = network.fail(`https://${host}/`, { broken: 'timeout' })
    const asked: number[] = []
    for (const seconds of [0, 29, 2, 59, 2, 119, 2]) {
      clock.advance(seconds * 1_000)
      const verified = await forge(
        batch.slice(0, 5).map((index) => keyAt(host, index)),
        freshIp,
      )
      expect(kinds(verified)).toEqual(new Set(['retry']))
      asked.push(fetchesAt(host).length)
    }
    expect(asked).toEqual([1, 1, 2, 2, 3, 3, 4])

    mend()
    clock.advance(5 * minute)
    expect(kinds(await forge([keyAt(host, 7)], freshIp))).toEqual(new Set(['refused']))
  })

  it('a server with unknown keys is not contacted for its Retry-After, at most five minutes', async () => {
    const host = victim(() => new Response('', { status: 429, headers: { 'retry-after': '100' } }))
    await forge([keyAt(host, 1)], freshIp)
    clock.advance(99_000)
    await forge([keyAt(host, 2)], freshIp)
    expect(fetchesAt(host)).toHaveLength(1)
    clock.advance(2_000)
    await forge([keyAt(host, 3)], freshIp)
    expect(fetchesAt(host)).toHaveLength(2)
  })

  it('gets both signature schemes ten times an hour when it refuses every signature, then one', async () => {
    const host = victim(() => new Response('', { status: 401 }))
    await forge(
      batch.slice(0, 20).map((index) => keyAt(host, index)),
      freshIp,
    )
    expect(fetchesAt(host)).toHaveLength(10 * 2 + 10)
  })

  it('gets no other scheme for 403 where it accepted one before', async () => {
    const peer = await fediverse.actor()
    expect((await verify({ keyId: peer.keyId, key: peer.key })).verdict.kind).toBe('signed')
    network.respond(`https://${peer.host}/users/u1`, () => new Response('', { status: 403 }))
    const { fetches } = await verify({ keyId: keyAt(peer.host, 1), key: 'ed25519' })
    expect(fetches).toHaveLength(1)
  })

  it.each([301, 302, 307, 308])(
    'a server with unknown keys cannot redirect the request to another server with %i',
    async (status) => {
      const [target, lure] = [victim(), victim()]
      const redirect = { status, headers: { location: `https://${target}/expensive` } }
      network.serveHost(lure, () => new Response(null, redirect))
      const verified = await forge(
        batch.slice(0, 5).map((index) => keyAt(lure, index)),
        freshIp,
      )
      expect(kinds(verified)).toEqual(new Set(['refused']))
      expect(fetchesAt(target)).toEqual([])
    },
  )

  it('a server with unknown keys cannot cause a loop, nor by an id or an owner on another server', async () => {
    const [target, lure] = [victim(), victim()]
    const keyId = (name: string) => `https://${lure}/${name}`
    network.respond(
      keyId('circle'),
      () => new Response(null, { status: 302, headers: { location: '/circle?1' } }),
    )
    network.respond(
      keyId('circle?1'),
      () => new Response(null, { status: 302, headers: { location: '/circle' } }),
    )
    network.serve(keyId('named'), { id: `https://${target}/x`, type: 'Person' })
    network.serve(keyId('owned'), {
      id: keyId('owned'),
      type: 'Key',
      owner: `https://${target}/x`,
      publicKeyPem: '',
    })
    network.serve(keyId('chain'), { id: keyId('chain'), type: 'Key', owner: keyId('next'), publicKeyPem: '' })
    network.serve(keyId('next'), { id: keyId('after'), type: 'Person' })
    for (const name of ['circle', 'named', 'owned', 'chain']) {
      const { fetches } = await verify({ keyId: keyId(name), key: 'ed25519' })
      expect([name, fetches.length <= 2]).toEqual([name, true])
    }
    expect(fetchesAt(target)).toEqual([])
  })

  it('a server with its own redirects and scheme is known at the second delivery', async () => {
    const peer = await fediverse.actor({ software: 'gotosocial' })
    await context().db.insert(instances).values({ domain: peer.host, createdAt: clock.now() })
    for (const url of [peer.keyId, peer.uri]) picky(url)
    const deliver = () => verify({ keyId: peer.keyId, key: peer.key })

    const first = await deliver()
    clock.advance(minute)
    const second = await deliver()

    expect([first.verdict.kind, first.fetches.length]).toEqual(['retry', 2])
    expect(second.verdict).toMatchObject({ kind: 'signed', signer: { uri: peer.uri } })
    // The key, its owner, and who has the handle, once the signature holds.
    expect(second.fetches.map(({ url }) => new URL(url).pathname)).toEqual([
      new URL(peer.keyId).pathname,
      new URL(peer.uri).pathname,
      '/.well-known/webfinger',
    ])
    expect(await context().db.select().from(accounts)).toEqual(
      expect.arrayContaining([expect.objectContaining({ uri: peer.uri })]),
    )
  })
})

/** From now on `url` answers only who signs by RFC 9421. */
function picky(url: string): void {
  const served = network.served(url)
  network.respond(url, (request) =>
    request.headers.has('signature-input') ? served(request) : new Response('', { status: 401 }),
  )
}
