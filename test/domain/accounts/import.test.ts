import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute, openDb } from '../../../src/db/query'
import { accounts, actorKeys, follows, instances, remoteActors } from '../../../src/db/schema'
import { importAccount } from '../../../src/domain/accounts/import'
import type { RemoteActor } from '../../../src/domain/accounts/remote-rows'
import { loadCounter } from '../../../src/domain/metrics/counters'
import { liftLimit, limitDomain } from '../../../src/domain/moderation/limit-domain'
import { operator } from '../../../src/domain/policy/permissions'
import { anonymous, as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { expectCosts } from '../../support/expect-costs'
import { freshName, given } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const { db } = context()

/** An actor as a reader would have tamed it. */
function actor(changes: Partial<RemoteActor> = {}): RemoteActor {
  const { username = freshName('actor'), domain = 'import.test' } = changes
  const uri = changes.uri ?? `https://${domain}/users/${username}`
  return {
    uri,
    username,
    domain,
    claimedHandle: null,
    url: `https://${domain}/@${username}`,
    type: 'Person',
    displayName: 'Bob',
    noteHtml: '<p>Hello</p>',
    fields: [],
    emojis: [],
    avatar: { url: `https://${domain}/bob.png`, description: 'Bob with a hat' },
    header: null,
    locked: false,
    discoverable: true,
    indexable: true,
    memorial: false,
    suspended: false,
    attributionDomains: [],
    alsoKnownAs: [],
    movedTo: null,
    publishedAt: null,
    inbox: `${uri}/inbox`,
    sharedInbox: `https://${domain}/inbox`,
    outbox: null,
    followers: `${uri}/followers`,
    following: null,
    featured: null,
    featuredTags: null,
    featuredCollections: null,
    featurePolicy: null,
    keys: [{ id: `${uri}#main-key`, publicKey: 'PEM' }],
    ...changes,
  }
}

/** The id of an actor that was stored. */
async function stored(document: RemoteActor, options?: Parameters<typeof importAccount>[2]): Promise<number> {
  const outcome = await importAccount(context(), document, options)
  if (outcome.kind !== 'stored') throw new Error(`The actor was not stored: ${JSON.stringify(outcome)}`)
  return outcome.id
}

async function rowOf(id: number) {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
  if (row === undefined) throw new Error('No such account')
  return row
}

const shown = async (id: number) => (await anonymous.get(`/api/v1/accounts/${id}`)).body
const keysOf = (id: number) => db.select().from(actorKeys).where(eq(actorKeys.accountId, id))
const addressesOf = (id: number) => db.select().from(remoteActors).where(eq(remoteActors.accountId, id))

describe('an actor of another server', () => {
  it('stores a remote actor with profile, addresses and keys', async () => {
    const publishedAt = new Date('2019-05-06T07:08:09Z')
    const bob = actor({ publishedAt, locked: true, movedTo: 'https://new.test/users/bob' })

    const id = await stored(bob)

    expect(await shown(id)).toMatchObject({
      acct: `${bob.username}@import.test`,
      uri: bob.uri,
      url: bob.url,
      display_name: 'Bob',
      note: '<p>Hello</p>',
      locked: true,
    })
    expect(await rowOf(id)).toMatchObject({
      avatar: { remote: 'https://import.test/bob.png' },
      avatarDescription: 'Bob with a hat',
      createdAt: publishedAt,
    })
    expect(await addressesOf(id)).toMatchObject([
      { inbox: bob.inbox, sharedInbox: bob.sharedInbox, movedTo: bob.movedTo, fetchedAt: clock.now() },
    ])
    expect(await keysOf(id)).toMatchObject([{ keyId: `${bob.uri}#main-key`, publicKey: 'PEM' }])
  })

  it('limits the age of a remote actor: a creation date in the future counts as now', async () => {
    const id = await stored(actor({ publishedAt: new Date('2999-01-01T00:00:00Z') }))

    expect((await rowOf(id)).createdAt).toEqual(clock.now())
  })

  it('stores the server of a remote actor, counted once', async () => {
    const domain = 'fresh-import.test'
    const before = await execute(db, loadCounter(context(), 'domains'))

    await stored(actor({ domain }))
    await stored(actor({ domain }))

    expect(await db.select().from(instances).where(eq(instances.domain, domain))).toHaveLength(1)
    expect(await execute(db, loadCounter(context(), 'domains'))).toBe(before + 1)
  })

  it('refuses a remote actor that claims to be on this server', async () => {
    const local = await given.account()
    const own = { uri: `https://fieldfare.test/users/${local.username}`, username: local.username }

    expect(await importAccount(context(), actor(own))).toMatchObject({ kind: 'refused' })
    expect(await importAccount(context(), actor({ domain: 'fieldfare.test' }))).toMatchObject({
      kind: 'refused',
    })
    expect((await rowOf(local.id)).displayName).toBe('')
  })

  it('stores a remote actor once when it arrives twice at the same time', async () => {
    const bob = actor()

    const [one, two] = await Promise.all([stored(bob), stored(bob)])

    expect(one).toBe(two)
  })

  it('storing a remote actor costs two round trips', async () => {
    const counted = countingDb(env.DB)
    const bob = actor()

    await importAccount({ ...context(), db: openDb(counted.db) }, bob)
    expect(counted.read().trips).toBeLessThanOrEqual(2)

    clock.advance(1000)
    const again = countingDb(env.DB)
    await importAccount({ ...context(), db: openDb(again.db) }, bob)
    expectCosts(again.read(), { trips: 2, rowsWritten: 1 })
    expect(again.read().rowsRead).toBeLessThan(20)
  })
})

describe('a known actor fetched again', () => {
  it('updates the profile of a known actor and keeps its handle and limits', async () => {
    const bob = actor()
    const id = await stored(bob)
    await db.update(accounts).set({ silencedAt: clock.now() }).where(eq(accounts.id, id))

    const next = { ...bob, displayName: 'Robert', avatar: null, username: 'renamed', domain: 'renamed.test' }
    expect(await stored({ ...next, movedTo: 'https://new.test/bob', sharedInbox: null })).toBe(id)

    expect(await rowOf(id)).toMatchObject({
      displayName: 'Robert',
      avatar: null,
      avatarDescription: '',
      username: bob.username,
      domain: bob.domain,
      silencedAt: clock.now(),
    })
    expect(await addressesOf(id)).toMatchObject([{ sharedInbox: null, movedTo: 'https://new.test/bob' }])
  })

  it('finds an actor by its new display name, and no longer by the old one', async () => {
    const bob = actor({ displayName: 'Ringelnatz' })
    await stored(bob)
    await stored({ ...bob, displayName: 'Boetticher' })

    const alice = as(await given.account())
    const found = async (q: string) => (await alice.get(`/api/v1/accounts/search?q=${q}`)).body
    expect(await found('boetticher')).toMatchObject([{ uri: bob.uri }])
    expect(await found('ringelnatz')).toEqual([])
  })

  it('deletes keys that the actor document no longer lists', async () => {
    const bob = actor()
    const id = await stored(bob)

    await stored({ ...bob, keys: [{ id: `${bob.uri}#second`, publicKey: 'NEW' }] })

    expect(await keysOf(id)).toMatchObject([{ keyId: `${bob.uri}#second`, publicKey: 'NEW' }])
  })

  it('ignores an actor document older than the stored one', async () => {
    const bob = actor()
    const id = await stored(bob)

    await stored({ ...bob, displayName: 'Younger Bob' }, { readAt: new Date(clock.now().getTime() - 1) })

    expect((await rowOf(id)).displayName).toBe('Bob')
  })

  it('the actor’s own server suspends and restores it', async () => {
    const bob = actor()
    const id = await stored(bob)

    await stored({ ...bob, suspended: true })
    expect((await rowOf(id)).suspendedAt).toEqual(clock.now())

    await stored({ ...bob, suspended: false })
    expect((await rowOf(id)).suspendedAt).toBeNull()
  })

  it('an actor suspended by local moderators stays suspended whatever its own server answers', async () => {
    const bob = actor()
    const id = await stored(bob)
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, id))

    await stored({ ...bob, suspended: true })
    await stored({ ...bob, suspended: false })

    expect((await rowOf(id)).suspendedAt).toEqual(clock.now())
  })

  it('an actor counts as moved only once the new address names the old one', async () => {
    const bob = actor()
    const id = await stored(bob)
    const target = actor({ domain: 'target-import.test' })
    const targetId = await stored(target)

    await stored({ ...bob, movedTo: target.uri })
    expect((await rowOf(id)).movedToAccountId).toBeNull()

    await stored({ ...target, alsoKnownAs: [bob.uri] })
    await stored({ ...bob, movedTo: target.uri })
    expect((await rowOf(id)).movedToAccountId).toBe(targetId)
  })
})

describe('an actor of a limited server', () => {
  it('limits an actor with its server, until the limit is lifted', async () => {
    const domain = 'silent-import.test'
    await limitDomain(context(), operator, domain, { severity: 'silence' })

    const id = await stored(actor({ domain: `sub.${domain}` }))
    expect((await rowOf(id)).silencedAt).toEqual(clock.now())

    await liftLimit(context(), operator, domain)
    expect((await rowOf(id)).silencedAt).toBeNull()
  })

  it('shows an actor without its pictures where they are rejected, also after a refresh', async () => {
    const domain = 'pictureless-import.test'
    const bob = actor({
      domain,
      emojis: [{ shortcode: 'wren', image: { remote: 'https://a.test/wren.png' } }],
    })
    const id = await stored(bob)
    expect(await rowOf(id)).toMatchObject({ emojis: bob.emojis })
    await domainLimit(domain, 'noop', { rejectMedia: true })

    expect(await stored(bob)).toBe(id)

    expect(await rowOf(id)).toMatchObject({ avatar: null, header: null, emojis: [] })
  })

  it('does not store an actor of a suspended server', async () => {
    await domainLimit('suspended-import.test', 'suspend')

    expect(await importAccount(context(), actor({ domain: 'suspended-import.test' }))).toMatchObject({
      kind: 'refused',
    })
  })
})

describe('a key', () => {
  it('refuses a key that another actor owns by its address', async () => {
    const victim = await given.peer({ host: 'import.test' })

    const thief = await stored(actor({ keys: [{ id: victim.keyId, publicKey: 'FORGED' }] }))

    expect(await keysOf(thief)).toEqual([])
    expect(await keysOf(victim.id)).toMatchObject([{ publicKey: victim.key.publicPem }])
  })

  it('returns a key to the actor that owns it by its address', async () => {
    const victim = actor()
    const [key] = victim.keys
    await stored(actor({ keys: [{ id: key?.id ?? '', publicKey: 'FORGED' }] }))

    const id = await stored(victim)

    expect(await keysOf(id)).toMatchObject([{ publicKey: 'PEM' }])
  })
})

describe('a handle that another address holds', () => {
  it('does not reassign a handle without proof', async () => {
    const bob = actor()
    await stored(bob)

    const other = actor({ username: bob.username, uri: 'https://import.test/ap/7' })

    expect(await importAccount(context(), other)).toEqual({ kind: 'taken' })
  })

  it('reassigns a handle without the follows of the old address, so that followers-only posts reach no other account', async () => {
    const alice = await given.account()
    const bob = actor()
    const oldId = await stored(bob)
    await relation.follow({ id: oldId }, alice)
    await stored(actor({ username: bob.username, uri: 'https://import.test/ap/9' }), { handleProven: true })

    expect(await shown(alice.id)).toMatchObject({ followers_count: 0 })
    expect(await db.select().from(follows).where(eq(follows.accountId, oldId))).toEqual([])
  })

  it('reassigns a handle once WebFinger proves it, and old posts stay with the old address [T-633]', async () => {
    const bob = actor()
    const oldId = await stored(bob)
    const post = await storedStatus({ accountId: oldId, local: false })

    const reborn = actor({ username: bob.username, uri: 'https://import.test/ap/8' })
    const newId = await stored(reborn, { handleProven: true })

    expect(await shown(newId)).toMatchObject({ acct: `${bob.username}@import.test`, uri: reborn.uri })
    expect(await shown(newId)).not.toHaveProperty('invalid_handle')
    expect((await rowOf(oldId)).username).toBe(`${bob.username}.${oldId}`)
    expect(await keysOf(oldId)).toEqual([])
    expect((await anonymous.get(`/api/v1/statuses/${post}`)).body).toMatchObject({
      account: { id: String(oldId), invalid_handle: true },
    })
  })
})
