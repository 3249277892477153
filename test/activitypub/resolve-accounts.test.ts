import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { importActor } from '../../src/activitypub/actors'
import { execute, first } from '../../src/db/query'
import { accounts } from '../../src/db/schema'
import { fediverse } from '../support/fediverse'
import { freshName, given } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { clock, context, settleLateWork } from '../support/test-app'

const { db } = context()
const { network } = fediverse
const { resolver } = context()

const rowOf = (id: number | null) =>
  execute(
    db,
    first(
      db
        .select()
        .from(accounts)
        .where(eq(accounts.id, id ?? 0)),
    ),
  )

/** Lets a host answer WebFinger with this and nothing else. */
function webFinger(host: string, answer: object, type = 'application/jrd+json'): void {
  network.serveHost(host, () => new Response(JSON.stringify(answer), { headers: { 'content-type': type } }))
}

const selfLink = (href: string, type = 'application/activity+json') => ({ rel: 'self', type, href })

describe('a post', () => {
  it.each(['redirects', 'names another id'])(
    'does not attribute a post to an actor whose address only redirects to its author: it %s [T-119]',
    async (way) => {
      const [victim, evil] = [await fediverse.actor(), await fediverse.actor()]
      const author = `${evil.uri}-who-is-not`
      const { uri } = victim
      if (way === 'redirects')
        network.respond(author, () => new Response(null, { status: 302, headers: { location: uri } }))
      else network.serve(author, victim.document)
      const note = evil.note({ document: { attributedTo: author } })

      expect(await resolver.statusByUri(note.id)).toBeNull()
      expect(await resolver.accountByUri(author)).not.toBeNull()
    },
  )
})

describe('a handle', () => {
  it('resolves a handle by WebFinger to an actor and stores it', async () => {
    const peer = await fediverse.actor()

    const id = await resolver.accountByHandle({ username: peer.username, domain: peer.host })

    expect(await rowOf(id)).toMatchObject({ uri: peer.uri, username: peer.username, domain: peer.host })
  })

  it('sends no request for a handle at a suspended server, or one that redirects there', async () => {
    const [peer, split] = [
      await fediverse.actor(),
      await fediverse.actor({ host: 'sends-there.test', accountDomain: 'not-spoken-with.test' }),
    ]
    await domainLimit(peer.host, 'suspend')
    await domainLimit('not-spoken-with.test', 'suspend')
    const mark = network.mark()

    expect(await resolver.accountByHandle({ username: peer.username, domain: peer.host })).toBeNull()
    expect(
      await resolver.accountByHandle({ username: split.username, domain: 'sends-there.test' }),
    ).toBeNull()
    expect(new Set(network.since(mark).map(({ url }) => new URL(url).host))).toEqual(
      new Set(['sends-there.test']),
    )
  })

  it('finds a known account by its handle without a request', async () => {
    const peer = await given.peer()
    const mark = network.mark()

    expect(await resolver.accountByHandle({ username: peer.username.toUpperCase(), domain: peer.host })).toBe(
      peer.id,
    )
    expect(network.since(mark)).toEqual([])
  })

  it('finds a local account by its handle under any domain of this server', async () => {
    const alice = await given.account()

    expect(await resolver.accountByHandle({ username: alice.username, domain: 'fieldfare.test' })).toBe(
      alice.id,
    )
    expect(await resolver.accountByHandle({ username: 'nobody-at-all', domain: 'fieldfare.test' })).toBeNull()
  })

  it('accepts a handle at another domain than the server if both agree', async () => {
    const peer = await fediverse.actor({ host: 'social.split-1.test', accountDomain: 'split-1.test' })
    const { username } = peer

    const id = await resolver.accountByHandle({ username, domain: 'split-1.test' })

    expect(await rowOf(id)).toMatchObject({ domain: 'split-1.test', uri: peer.uri })
  })

  it('stores the domain that WebFinger names for a handle looked up at the server [T-120]', async () => {
    const peer = await fediverse.actor({ host: 'social.split-2.test', accountDomain: 'split-2.test' })
    const { username } = peer

    const id = await resolver.accountByHandle({ username, domain: 'social.split-2.test' })

    expect(await rowOf(id)).toMatchObject({ domain: 'split-2.test' })
  })

  it('finds nothing for a handle that its domain does not confirm [T-121]', async () => {
    const victim = await fediverse.actor()
    webFinger('claims.test', {
      subject: `acct:${victim.username}@claims.test`,
      links: [selfLink(victim.uri)],
    })

    expect(await resolver.accountByHandle({ username: victim.username, domain: 'claims.test' })).toBeNull()
    const known = await resolver.accountByUri(victim.uri)
    expect(await rowOf(known)).toMatchObject({ domain: victim.host })
  })

  it('finds nothing when the second server contradicts the first', async () => {
    const peer = await fediverse.actor()
    const other = await fediverse.actor({ username: 'contrary' })
    webFinger('first-says.test', { subject: `acct:contrary@${other.host}`, links: [selfLink(peer.uri)] })

    expect(await resolver.accountByHandle({ username: 'contrary', domain: 'first-says.test' })).toBeNull()
  })

  it.each([
    ['is not found', () => new Response('', { status: 404 })],
    ['is no JSON', () => new Response('<html>', { headers: { 'content-type': 'application/jrd+json' } })],
    ['has no links', () => Response.json({ subject: 'acct:x@y.test' })],
    ['has links of any shape', () => Response.json({ links: [null, 1, [], { rel: 'self' }] })],
    ['links pages only', () => Response.json({ links: [selfLink('https://a.test/@x', 'text/html')] })],
    ['links no web address', () => Response.json({ links: [selfLink('javascript:alert(1)')] })],
    ['links inward', () => Response.json({ links: [selfLink('https://127.0.0.1/users/x')] })],
  ])('finds nothing when WebFinger %s [T-122]', async (_, respond) => {
    const domain = `${freshName('finger')}.test`
    network.serveHost(domain, respond)

    expect(await resolver.accountByHandle({ username: 'x', domain })).toBeNull()
  })

  it('looks up a failed handle again only after a minute', async () => {
    const peer = await fediverse.actor()
    const handle = { username: peer.username, domain: peer.host }
    network.fail(peer.at.origin, { status: 500, times: 1 })

    expect(await resolver.accountByHandle(handle)).toBeNull()
    const mark = network.mark()
    expect(await resolver.accountByHandle(handle)).toBeNull()
    expect(network.since(mark)).toEqual([])

    clock.advance(61_000)
    expect(await resolver.accountByHandle(handle)).not.toBeNull()
  })

  it('sends no request for a handle at a suspended server', async () => {
    const peer = await fediverse.actor()
    await domainLimit(peer.host, 'suspend')

    expect(await resolver.accountByHandle({ username: peer.username, domain: peer.host })).toBeNull()
    expect(peer.fetched()).toBe(0)
  })

  it('answers with a stale account at once and refreshes it afterwards', async () => {
    const peer = await given.peer()
    network.serve(peer.uri, { ...peer.document, name: 'New name', icon: 'https://pics.test/new.png' })
    clock.advance(25 * 60 * 60 * 1000)

    expect(await resolver.accountByHandle({ username: peer.username, domain: peer.host })).toBe(peer.id)
    await settleLateWork()

    expect(await rowOf(peer.id)).toMatchObject({
      displayName: 'New name',
      avatar: { remote: 'https://pics.test/new.png' },
    })
  })
})

describe('an address', () => {
  it('resolves an address to its actor and verifies the handle', async () => {
    const peer = await fediverse.actor({ host: 'social.split-3.test', accountDomain: 'split-3.test' })

    expect(await rowOf(await resolver.accountByUri(peer.uri))).toMatchObject({ domain: 'split-3.test' })
  })

  it('resolves the address of a page and fetches the id its document names [T-123]', async () => {
    const peer = await fediverse.actor({ software: 'misskey' })
    network.serve(peer.at.url, peer.document)

    expect(await rowOf(await resolver.accountByUri(peer.at.url))).toMatchObject({ uri: peer.uri })
    expect(peer.fetched()).toBe(1)
  })

  it('finds a local account by address without a request', async () => {
    const alice = await given.account()

    expect(await resolver.accountByUri(`https://fieldfare.test/users/${alice.username}`)).toBe(alice.id)
    expect(await resolver.accountByUri(`https://fieldfare.test/@${alice.username}`)).toBe(alice.id)
    expect(await resolver.accountByUri('https://fieldfare.test/about')).toBeNull()
  })

  it('finds nothing when there is no actor at the address', async () => {
    const peer = await fediverse.actor()
    const note = peer.note()

    expect(await resolver.accountByUri(note.id)).toBeNull()
    expect(await resolver.accountByUri('not an address')).toBeNull()
  })

  it('looks up an account at an address that is not a post, and the other way round', async () => {
    const peer = await fediverse.actor()
    const note = peer.note()

    expect(await resolver.statusByUri(peer.uri)).toBeNull()
    expect(await resolver.accountByUri(peer.uri)).not.toBeNull()
    expect(await resolver.accountByUri(note.id)).toBeNull()
    expect(await resolver.statusByUri(note.id)).not.toBeNull()
  })

  it('resolves a page that several accounts of a server share to the one stored first', async () => {
    const [peer, poser] = [await given.peer(), await given.peer()]
    const claim = (url: string) => db.update(accounts).set({ url }).where(eq(accounts.id, poser.id))

    await claim(peer.at.url)
    expect(await resolver.accountByUri(peer.at.url)).toBe(peer.id)
    await claim(peer.uri)
    expect(await resolver.accountByUri(peer.uri)).toBe(peer.id)
  })
})

describe('the handle of a new actor', () => {
  it('uses the handle at its own server where WebFinger fails', async () => {
    const peer = await fediverse.actor()
    network.serveHost(peer.host, () => new Response('', { status: 404 }))

    expect(await rowOf(await importActor(context(), peer.uri))).toMatchObject({ domain: peer.host })
  })

  it('does not store an actor that takes the name of another at its server', async () => {
    const peer = await fediverse.actor()
    const poser = `${peer.at.origin}/uploads/poser`
    network.serve(poser, { ...peer.document, id: poser, inbox: `${poser}/inbox` })

    expect(await importActor(context(), poser)).toBeNull()
  })

  it('refuses a handle that its server gives to another actor [T-124]', async () => {
    const peer = await fediverse.actor()
    webFinger(peer.host, { subject: `acct:${peer.username}@away.test`, links: [selfLink(peer.uri)] })
    network.serveHost('away.test', () => new Response('', { status: 404 }))

    expect(await importActor(context(), peer.uri)).toBeNull()
  })

  it('does not store an actor while WebFinger does not answer, because its domain may differ', async () => {
    const peer = await fediverse.actor()
    const ends = network.fail(`${peer.at.origin}/.well-known/`, { status: 503 })

    expect(await importActor(context(), peer.uri)).toBeNull()
    ends()
    clock.advance(60_000)
    expect(await importActor(context(), peer.uri)).not.toBeNull()
  })

  it('reassigns the handle to the actor of a server set up again, as WebFinger confirms', async () => {
    const { username, host } = await given.peer()
    const uri = `https://${host}/ap/actors/1`
    const key = { id: `${uri}#main-key`, owner: uri, publicKeyPem: '-----BEGIN PUBLIC KEY-----' }
    const reborn = { id: uri, type: 'Person', preferredUsername: username, inbox: `${uri}/inbox` }
    network.serve(uri, { ...reborn, '@context': 'https://www.w3.org/ns/activitystreams', publicKey: key })
    webFinger(host, { subject: `acct:${username}@${host}`, links: [selfLink(uri)] })

    const id = await importActor(context(), uri)

    expect(await rowOf(id)).toMatchObject({ uri, username, domain: host })
    expect(await resolver.accountByHandle({ username, domain: host })).toBe(id)
  })
})
