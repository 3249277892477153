import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AttackResult,
  type AttackScenario,
  attackScenario,
  expectRejected,
  runAttack,
} from '../../support/attack-scenario'
import { captureDelivery } from '../../support/capture-delivery'
import { fediverse } from '../../support/fediverse'
import type { Document } from '../../support/fediverse/documents'
import type { Peer, Sending } from '../../support/fediverse/peer'
import { given } from '../../support/given'
import { clock } from '../../support/test-app'

/** Invalid signatures and keys of other actors: nothing is stored, not even a row about the claimed sender. */

const { network } = fediverse
const hour = 3_600_000

let scene: AttackScenario

beforeAll(async () => {
  scene = await attackScenario()
  // The first document ever asked for makes the actor that asks.
  await captureDelivery(scene.eve, scene.eve.activity('Dance', 'x'), { keyId: 'https://evil.test/none' })
})

const follow = ({ eve, ada }: AttackScenario) => eve.follow(ada)
const from = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds)

describe('a request with a bad signature', () => {
  const toShort = (covered: string): Sending => ({ covered: covered.split(' ') })

  it.each<[string, () => Sending, string]>([
    ['unsigned', () => ({ signature: 'none' }), 'not signed'],
    [
      'another body',
      () => ({ bodyInstead: JSON.stringify(scene.eve.block(scene.ada)) }),
      'The digest does not fit the body',
    ],
    ['stale', () => ({ at: from(-13 * hour) }), 'The signature is too old'],
    [
      'stale, by RFC 9421',
      () => ({ at: from(-13 * hour), signature: 'rfc9421' }),
      'The signature is too old',
    ],
    ['of the future', () => ({ at: from(2 * hour) }), 'The signature is of the future'],
    ['without a date', () => toShort('(request-target) host digest'), 'The signature covers no time'],
    [
      'without the digest',
      () => toShort('(request-target) host date'),
      'The signature does not cover the body',
    ],
    ['without the target', () => toShort('host date digest'), 'The signature does not cover the target'],
    [
      'without the host',
      () => toShort('(request-target) date digest'),
      'The signature does not cover the host',
    ],
    [
      'without the digest, by RFC 9421',
      () => ({ ...toShort('@method @target-uri'), signature: 'rfc9421' }),
      'The signature does not cover the body',
    ],
    [
      'without the target, by RFC 9421',
      () => ({ ...toShort('@method content-digest'), signature: 'rfc9421' }),
      'The signature does not cover the target',
    ],
    [
      'malformed',
      () => ({ headers: { signature: 'keyId="' } }),
      'The Signature header is malformed or names a parameter twice',
    ],
    [
      'a key id twice',
      () => ({ headers: { signature: 'keyId="https://a.test/",keyId="https://b.test/",signature="AA=="' } }),
      'The Signature header is malformed or names a parameter twice',
    ],
    ['a key id of no web address', () => ({ keyId: 'javascript:alert(1)' }), 'The key id is no address'],
  ])('refuses a request with a bad signature: %s [T-070]', async (_, sending, reason) => {
    const after = await runAttack(() => captureDelivery(scene.eve, follow(scene), sending()))
    expectRejected(after, { status: 401, reason })
  })

  it.each(['cavage', 'rfc9421'] as const)(
    'refuses a request signed for another inbox: %s',
    async (signature) => {
      const sending = { signature, pathSigned: '/users/nobody/inbox' }
      const after = await runAttack(() => captureDelivery(scene.eve, follow(scene), sending))
      expect([after.status, after.reasons]).toEqual([401, ['The signature does not fit its key']])
      expect(after.changes).toEqual([])
    },
  )
})

describe('a signature of another length than the key makes', () => {
  it.each(['rsa', 'ed25519'] as const)(
    'refuses a signature of the wrong length without a server error: %s',
    async (keyKind) => {
      const peer = await given.peer({ keyKind })
      for (const signature of ['AA==', btoa('x'.repeat(63)), btoa('x'.repeat(257))]) {
        const covered = '(request-target) host date digest'
        const headers = { signature: `keyId="${peer.keyId}",headers="${covered}",signature="${signature}"` }
        const captured = await captureDelivery(peer, peer.follow(scene.ada), { headers })
        expect([captured.status, captured.errors]).toEqual([401, []])
      }
    },
  )
})

describe('a replayed request', () => {
  it.each<[string, (scene: AttackScenario) => Document, string]>([
    ['a Follow that was undone', ({ neighbour, ada }) => neighbour.follow(ada), 'received before'],
    ['a Like that was undone', ({ neighbour, posts }) => neighbour.like(posts.public), 'undone before'],
    [
      'a share that was undone',
      ({ neighbour, posts }) => neighbour.announce(posts.public),
      'known already, or undone',
    ],
  ])('a replayed request does not restore %s (pitfall 31)', async (_, make, reason) => {
    const { neighbour } = scene
    const interaction = make(scene)
    for (const activity of [interaction, neighbour.undo(interaction)])
      expect(await captureDelivery(neighbour, activity)).toMatchObject({ status: 202, reasons: [] })
    const after = await runAttack(() => captureDelivery(neighbour, interaction, { to: '/users/ada/inbox' }))
    expectRejected(after, { status: 202, reason })
  })

  it('a replayed request does not restore a deleted post (pitfall 31)', async () => {
    const { neighbour, ada } = scene
    const create = neighbour.create(neighbour.note({ mentions: [fediverse.local(ada)] }))
    for (const activity of [create, neighbour.delete(asDocument(create['object']))])
      expect(await captureDelivery(neighbour, activity)).toMatchObject({ status: 202, reasons: [] })
    expectRejected(await runAttack(() => captureDelivery(neighbour, create)), {
      status: 202,
      reason: 'deleted before',
    })
  })

  it.each<[string, (scene: AttackScenario) => Document]>([
    [
      'Create',
      ({ neighbour, ada }) => neighbour.create(neighbour.note({ mentions: [fediverse.local(ada)] })),
    ],
    ['Announce', ({ neighbour, posts }) => neighbour.announce(posts.public)],
    ['Like', ({ neighbour, posts }) => neighbour.like(posts.poll)],
    ['EmojiReact', ({ neighbour, posts }) => neighbour.emojiReact(posts.poll, '🔥')],
    ['Follow', ({ neighbour, ada }) => neighbour.follow(ada)],
    ['Flag', ({ neighbour, ada }) => neighbour.flag([ada.uri], 'bad')],
    ['vote', ({ neighbour, ada, posts }) => neighbour.vote({ id: posts.poll, author: ada.uri }, 'Wren')],
    ['Block', ({ neighbour, ada }) => neighbour.block(ada)],
  ])('a replayed request changes nothing: %s (pitfall 31) [T-071]', async (_, make) => {
    const { neighbour } = scene
    const interaction = make(scene)
    const first = await runAttack(() => captureDelivery(neighbour, interaction))
    expect(first).toMatchObject({ status: 202, reasons: [] })
    expect(first.changes).not.toEqual([])
    for (const to of ['/inbox', '/users/ada/inbox'])
      expect(await runAttack(() => captureDelivery(neighbour, interaction, { to }))).toMatchObject({
        status: 202,
        changes: [],
        handed: [],
      })
  })
})

describe('a key that is not its signer’s (pitfall 10)', () => {
  /** Signs as whoever has the key `keyId`, with the key of the attacker, and says that rosa wrote it. */
  async function pose(keyId: string, as: Peer = scene.rosa): Promise<AttackResult> {
    return runAttack(() => captureDelivery(scene.eve, as.follow(scene.ada), { keyId, key: 'rsa-other' }))
  }

  /** Leaves no trace here; its server may have been asked. */
  function expectUnbelieved(after: AttackResult, reason: string): void {
    expect([after.status, after.reasons]).toEqual([401, [reason]])
    const { changes, errors, jobs, handed } = after
    expect({ changes, errors, jobs, handed }).toEqual({ changes: [], errors: [], jobs: [], handed: [] })
  }

  it('refuses the key of another known actor [T-072]', async () => {
    expectUnbelieved(await pose(scene.rosa.keyId), 'The signature does not fit its key')
  })

  it('refuses the key of a local account', async () => {
    const after = await pose(`${scene.ada.uri}#main-key`)
    expect(after.fetches).toEqual([])
    expectUnbelieved(after, `${scene.ada.uri} is our own`)
  })

  it('refuses a key in a document that names an owner on another server [T-073]', async () => {
    const keyId = 'https://evil.test/keys/1'
    const { publicKeyPem } = await forgedKey()
    network.serve(keyId, { id: keyId, type: 'CryptographicKey', owner: scene.rosa.uri, publicKeyPem })
    expectUnbelieved(await pose(keyId), 'its document names no owner on its server')
  })

  it('refuses a key in a document that names an owner who does not list it [T-074]', async () => {
    const keyId = 'https://evil.test/keys/2'
    const { publicKeyPem } = await forgedKey()
    network.serve(keyId, { id: keyId, type: 'Key', owner: scene.neighbour.uri, publicKeyPem })
    expectUnbelieved(await pose(keyId), `${scene.neighbour.uri} does not list the key`)
  })

  it('refuses a key in a document that claims to be on another server [T-075]', async () => {
    const address = 'https://evil.test/users/rosa'
    network.serve(address, { ...scene.rosa.document, publicKey: await forgedKey() })
    expectUnbelieved(await pose(`${address}#main-key`), 'evil.test leads to mastodon.test')
  })

  it('refuses a key that an actor lists under the id of another actor’s key', async () => {
    const stranger = await fediverse.actor({ host: 'other.test', keyKind: 'rsa-other' })
    stranger.document['publicKey'] = { ...(await forgedKey()), id: scene.rosa.keyId, owner: stranger.uri }
    expectUnbelieved(await pose(stranger.keyId, stranger), `${stranger.uri} does not list the key`)
    expectUnbelieved(await pose(scene.rosa.keyId), 'The signature does not fit its key')
  })

  it('refuses a key of an actor whose handle belongs to another account', async () => {
    const impostor = await fediverse.actor({ host: 'mastodon.test', username: 'rosa2', keyKind: 'rsa-other' })
    impostor.document['preferredUsername'] = 'rosa'
    expectUnbelieved(await pose(impostor.keyId, impostor), `rosa@mastodon.test leads to ${scene.rosa.uri}`)
  })

  it.each([
    ['https://127.0.0.1/key', 'is a number'],
    ['https://169.254.169.254/latest/meta-data', 'is a number'],
    ['https://[::1]/key', 'is a number'],
    ['https://localhost/key', 'has no full host name'],
    ['http://evil.test/key', 'is not https'],
    ['https://evil.test:8443/key', 'names a port'],
    ['https://fieldfare.test/key', 'is our own'],
  ])(
    'refuses a key at a private address, without a request: %s (pitfall 27) [T-076]',
    async (address, reason) => {
      for (const keyId of [address, redirectTo(address)]) {
        const after = await pose(keyId)
        expect(after.fetches.filter(({ url }) => !url.startsWith('https://evil.test/redirect'))).toEqual([])
        expectUnbelieved(after, `${address} ${reason}`)
      }
    },
  )

  it.each([
    ['a page', 'text/html'],
    ['somebody’s upload', 'application/json'],
  ])('refuses a key in %s [T-077]', async (_, contentType) => {
    const stranger = await fediverse.actor({ host: 'uploads.test', keyKind: 'rsa-other' })
    network.fail(stranger.uri, { contentType })
    expectUnbelieved(await pose(stranger.keyId, stranger), `${stranger.uri} is of the type ${contentType}`)
  })

  it('refuses a key in a document that is too large', async () => {
    const stranger = await fediverse.actor({ host: 'large.test', keyKind: 'rsa-other' })
    stranger.document['summary'] = 'x'.repeat(1_048_576)
    const after = await pose(stranger.keyId, stranger)
    const reason = `${stranger.uri} answers more than 1048576 bytes`
    expect([after.status, after.changes, after.reasons]).toEqual([503, [], [reason]])
  })

  it('refuses a key in a document that is nested too deeply [T-078]', async () => {
    const stranger = await fediverse.actor({ host: 'deep.test', keyKind: 'rsa-other' })
    network.respond(stranger.uri, () => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
      const text = `{"id":"${stranger.uri}","type":"Person","publicKey":${deep}}`
      return new Response(text, { headers: { 'content-type': 'application/activity+json' } })
    })
    expectUnbelieved(await pose(stranger.keyId, stranger), 'its document names no owner on its server')
  })
})

let redirects = 0

function redirectTo(address: string): string {
  redirects += 1
  const from = `https://evil.test/redirect/${redirects}`
  network.fail(from, { redirect: address })
  return from
}

async function forgedKey() {
  const { rosa } = scene
  const forger = await fediverse.actor({ keyKind: 'rsa-other' })
  return { id: rosa.keyId, owner: rosa.uri, publicKeyPem: forger.key.publicPem }
}

function asDocument(value: unknown): Document {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
