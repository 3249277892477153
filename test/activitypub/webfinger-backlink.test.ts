import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { importActor } from '../../src/activitypub/actors'
import { execute, first } from '../../src/db/query'
import { accounts } from '../../src/db/schema'
import { fediverse } from '../support/fediverse'
import { freshName } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { clock, context } from '../support/test-app'

const { network } = fediverse
const { db, resolver } = context()

async function handleOf(id: number | null): Promise<string | null> {
  const row = await execute(
    db,
    first(
      db
        .select()
        .from(accounts)
        .where(eq(accounts.id, id ?? 0)),
    ),
  )
  return row === null ? null : `${row.username}@${row.domain}`
}

/** An actor of a server whose handles are at another domain, with its `webfinger` property. */
async function splitActor(document: Readonly<Record<string, unknown>> = {}) {
  const domain = `${freshName('split')}.test`.toLowerCase()
  const username = freshName('rosa').toLowerCase()
  const handle = `${username}@${domain}`
  const host = `social.${domain}`
  const peer = await fediverse.actor({
    host,
    username,
    accountDomain: domain,
    document: { webfinger: handle, ...document },
  })
  return { peer, username, domain, host, handle }
}

/** Hosts that were asked for WebFinger since `mark`, in order. */
const fingered = (mark: number) =>
  network
    .since(mark)
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === '/.well-known/webfinger')
    .map(({ host }) => host)

describe('the webfinger property of an actor', () => {
  it('a webfinger property at another domain is confirmed by one request', async () => {
    const { peer, domain, handle } = await splitActor()
    const mark = network.mark()

    expect(await handleOf(await importActor(context(), peer.uri))).toBe(handle)
    expect(fingered(mark)).toEqual([domain])
  })

  it('needs no further request when the handle was looked up', async () => {
    const { username, domain, handle } = await splitActor()
    const mark = network.mark()

    expect(await handleOf(await resolver.accountByHandle({ username, domain }))).toBe(handle)
    expect(fingered(mark)).toEqual([domain])
  })

  it('accepts an acct: address with any letter case in the domain', async () => {
    const { peer, username, domain, handle } = await splitActor()
    network.serve(peer.uri, { ...peer.document, webfinger: `acct:${username}@${domain.toUpperCase()}` })

    expect(await handleOf(await importActor(context(), peer.uri))).toBe(handle)
  })

  it('overrides preferredUsername, which may be missing or invalid', async () => {
    for (const preferredUsername of [undefined, 'Rosa of the ferns', 'someone-else']) {
      const { peer, handle } = await splitActor({ preferredUsername })

      expect(await handleOf(await importActor(context(), peer.uri)), preferredUsername).toBe(handle)
    }
  })

  it('a webfinger property at the actor’s own host takes the same one request', async () => {
    const peer = await fediverse.actor()
    network.serve(peer.uri, { ...peer.document, webfinger: peer.handle })
    const mark = network.mark()

    expect(await handleOf(await importActor(context(), peer.uri))).toBe(peer.handle)
    expect(fingered(mark)).toEqual([peer.host])
  })

  it('ignores the webfinger property where its domain leads to another actor or none', async () => {
    const [victim, stranger] = [await fediverse.actor(), await fediverse.actor()]
    for (const webfinger of [victim.handle, `nobody-there@${victim.host}`]) {
      const peer = await fediverse.actor({ document: { webfinger } })

      expect(await handleOf(await importActor(context(), peer.uri)), webfinger).toBe(peer.handle)
    }
    const known = await resolver.accountByHandle({ username: victim.username, domain: victim.host })
    expect(await handleOf(known)).toBe(victim.handle)
    // Without a name of its own it has the claimed one, but at its own host.
    network.serve(stranger.uri, {
      ...stranger.document,
      preferredUsername: undefined,
      webfinger: victim.handle,
    })
    expect(await handleOf(await importActor(context(), stranger.uri))).toBe(
      `${victim.username}@${stranger.host}`,
    )
  })

  it('ignores a webfinger property that is not a handle', async () => {
    const claims = [
      'rosa',
      'rosa@',
      '@birds.test',
      'rosa@birds.test@other.test',
      'rosa@birds.test/path',
      'rosa@me:secret@birds.test',
      'ro sa@birds.test',
      'rosa@127.0.0.1:80/',
      'https://birds.test/@rosa',
      `${'x'.repeat(300)}@birds.test`,
      `rosa@${'x.'.repeat(300)}test`,
      ['rosa@birds.test'],
      { id: 'rosa@birds.test' },
      7,
      null,
    ]
    for (const webfinger of claims) {
      const peer = await fediverse.actor({ document: { webfinger } })
      const mark = network.mark()

      expect(await handleOf(await importActor(context(), peer.uri)), String(webfinger)).toBe(peer.handle)
      expect(fingered(mark)).toEqual([peer.host])
    }
  })

  it('sends no request to this server, private addresses or suspended servers', async () => {
    await domainLimit('suspended-handles.test', 'suspend')
    for (const webfinger of [
      'rosa@fieldfare.test',
      'rosa@localhost',
      'rosa@127.0.0.1',
      'rosa@169.254.169.254',
      'rosa@server.internal',
      'rosa@suspended-handles.test',
    ]) {
      const peer = await fediverse.actor({ document: { webfinger } })
      const mark = network.mark()

      const stored = await handleOf(await importActor(context(), peer.uri))
      expect([peer.handle, null], webfinger).toContain(stored)
      expect(fingered(mark).filter((host) => host !== peer.host)).toEqual([])
    }
  })

  it('does not store an actor whose handle is at a suspended server', async () => {
    await domainLimit('limited-handles.test', 'suspend')
    const peer = await fediverse.actor({ document: { webfinger: 'rosa@limited-handles.test' } })

    expect(await importActor(context(), peer.uri)).toBeNull()
  })

  it('does not store an actor while the domain of its handle does not answer', async () => {
    const { peer, domain, handle } = await splitActor()
    const ends = network.fail(`https://${domain}/.well-known/`, { status: 503 })

    expect(await importActor(context(), peer.uri)).toBeNull()
    ends()
    clock.advance(60_000)
    expect(await handleOf(await importActor(context(), peer.uri))).toBe(handle)
  })

  it('does not rename a known account', async () => {
    const { peer, handle } = await splitActor()
    const id = await importActor(context(), peer.uri)
    const other = await fediverse.actor()
    network.serve(peer.uri, { ...peer.document, webfinger: other.handle })

    expect(await importActor(context(), peer.uri)).toBe(id)
    expect(await handleOf(id)).toBe(handle)
  })
})
