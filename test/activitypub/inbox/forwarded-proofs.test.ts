import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { statusUri } from '../../../src/contract/addresses'
import { Status } from '../../../src/contract/entities/status'
import { accounts } from '../../../src/db/schema'
import { as } from '../../support/as'
import { type CapturedDelivery, captureDelivery } from '../../support/capture-delivery'
import { fediverse } from '../../support/fediverse'
import type { NoteOptions } from '../../support/fediverse/activity-factory'
import type { Activity, Document } from '../../support/fediverse/documents'
import { withProof } from '../../support/fediverse/proof'
import { given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'
import { relationshipBetween } from '../../support/viewer-state'

let alice: TestAccount
let own: number
let author: KnownPeer
let forwarder: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  own = await storedStatus({ accountId: alice.id })
  author = await knownPeer({ keyKind: 'ed25519' })
  forwarder = await knownPeer()
})

/** A reply to a status of alice, which its server serves to nobody. */
function reply(options: NoteOptions = {}) {
  const inReplyTo = statusUri('https://fieldfare.test', alice.username, own)
  return author.note({ inReplyTo, served: false, ...options })
}

const forward = (activity: Document, by: KnownPeer = forwarder) => captureDelivery(by, activity)

async function storedText(uri: string): Promise<string | null> {
  const rows = await context().db.all<{ content: string }>(
    sql`select content from statuses where uri = ${uri}`,
  )
  return rows[0]?.content ?? null
}

/** A status of the author that is stored. */
async function known(content = '<p>First.</p>') {
  const note = reply({ content })
  expect((await author.send(author.create(note))).status).toBe(202)
  clock.advance(1_000)
  return note
}

function edited(note: Document & { readonly id: string }, content: string, updated = clock.now()): Activity {
  return author.update({ ...note, content, contentMap: { en: content }, updated: updated.toISOString() })
}

/** Taken at once: nothing is fetched, neither now nor by a job. */
function expectTaken({ status, fetches, jobs, reasons }: CapturedDelivery) {
  const refetches = jobs.filter(({ kind }) => kind === 'refetch-object')
  expect({ status, fetches, refetches, reasons }).toEqual({
    status: 202,
    fetches: [],
    refetches: [],
    reasons: [],
  })
}

/** Left to a fetch from the server of the object. */
function expectRefetched({ status, fetches, jobs }: CapturedDelivery, uri: string) {
  expect({ status, fetches, jobs }).toMatchObject({
    status: 202,
    fetches: [],
    jobs: [{ kind: 'refetch-object', uri }],
  })
}

describe('a forwarded activity with the proof of its actor', () => {
  it('accepts a proven reply without a fetch', async () => {
    const note = reply({ content: '<p>Wrens 😀 “robins”</p>' })
    const answer = await forward(await withProof(author, author.create(note)))
    expectTaken(answer)
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    const { body } = await as(alice).get(`/api/v1/statuses/${own}/context`)
    expect(body).toMatchObject({ descendants: [{ uri: note.id, account: { acct: author.handle } }] })
  })

  it('accepts a proven edit without a fetch', async () => {
    const note = await known()
    expectTaken(await forward(await withProof(author, edited(note, '<p>Second.</p>'))))
    expect(await storedText(note.id)).toBe('<p>Second.</p>')
  })

  it('accepts a proven deletion without a fetch', async () => {
    const note = await known()
    expectTaken(await forward(await withProof(author, author.delete(note))))
    expect(await storedText(note.id)).toBeNull()
  })

  it('accepts a proof beside a Linked Data signature and with added contexts', async () => {
    const note = reply()
    const proven = await withProof(author, author.create(note))
    const signature = { type: 'RsaSignature2017', creator: author.keyId, created: 'x', signatureValue: 'x' }
    const contexts = [...[proven['@context']].flat(), { extra: 'https://x.test/' }]
    expectTaken(await forward({ ...proven, '@context': contexts, signature }))
  })

  it('ignores a proven activity that arrives again from any server', async () => {
    const note = await known()
    const proven = await withProof(author, edited(note, '<p>Second.</p>'))
    await forward(proven)
    const again = await forward(proven, await knownPeer())
    expect([again.jobs, again.reasons]).toEqual([[], ['forwarded a moment ago']])
    expect(again.costs.rowsWritten).toBe(0)
  })

  it('requires the HTTP signature of the forwarding server as well', async () => {
    const note = reply()
    const proven = await withProof(author, author.create(note))
    expect((await forwarder.send(proven, { signature: 'none' })).status).toBe(401)
    expect((await forwarder.send(proven, { key: 'rsa-other' })).status).toBe(401)
    expect(await storedText(note.id)).toBeNull()
  })

  it('ignores a proven activity that concerns no local account', async () => {
    const note = author.note({ served: false })
    const answer = await forward(await withProof(author, author.create(note)))
    expect([answer.jobs, answer.reasons]).toEqual([[], ['forwarded, but irrelevant here']])
    expect(await storedText(note.id)).toBeNull()
  })

  it('does not make the owner of a personal inbox a reader of the proven activity', async () => {
    const bob = await given.account()
    await relation.follow(alice, author)
    const note = reply({ visibility: 'private' })
    const proven = await withProof(author, author.create(note))
    expectTaken(await captureDelivery(forwarder, proven, { to: `/users/${bob.username}/inbox` }))
    const read = async (who: TestAccount) => {
      const { body } = await as(who).get(`/api/v1/accounts/${author.id}/statuses`)
      return (Array.isArray(body) ? body : []).map((status) => Status.parse(status).uri)
    }
    expect([await read(alice), await read(bob)]).toEqual([[note.id], []])
  })

  it('charges the budget of the actor, and refuses more forwarded activities once it is spent', async () => {
    const activities: Document[] = []
    for (let index = 0; index < 301; index += 1)
      activities.push(await withProof(author, author.create(reply())))
    let [taken, refetched] = [0, 0]
    for (const [index, activity] of activities.entries()) {
      const by = index < 150 ? forwarder : await secondForwarder()
      const { jobs } = await forward(activity, by)
      if (jobs.some(({ kind }) => kind === 'refetch-object')) refetched += 1
      else taken += 1
    }
    expect([taken, refetched]).toEqual([300, 1])
  })
})

let second: KnownPeer | null = null

async function secondForwarder(): Promise<KnownPeer> {
  second ??= await knownPeer()
  return second
}

describe('a forwarded activity is fetched at its own server', () => {
  const variants: Readonly<Record<string, (activity: Activity) => Promise<Document>>> = {
    'with a proof by the key of another actor of its server': async (activity) => {
      const neighbour = await knownPeer({ keyKind: 'ed25519', host: author.host })
      return withProof(author, activity, { options: { verificationMethod: neighbour.keyId } })
    },
    'with a proof by the key of another server': async (activity) => {
      const eve = await knownPeer({ keyKind: 'ed25519' })
      return withProof(eve, activity)
    },
    'with a proof by a key that nobody has': (activity) =>
      withProof(author, activity, { options: { verificationMethod: `${author.uri}#unknown` } }),
    'with a proof by an RSA key': (activity) =>
      withProof(author, activity, { options: { verificationMethod: forwarder.keyId } }),
    'with a proof by another key in the name of its own': async (activity) => {
      const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
      if (!('privateKey' in pair)) throw new Error('The runtime made no key pair')
      return withProof(author, activity, { privateKey: pair.privateKey })
    },
    'with a proof of the future': (activity) =>
      withProof(author, activity, {
        options: { created: new Date(clock.now().getTime() + 7_200_000).toISOString() },
      }),
    'with a proof of thirteen hours ago': (activity) =>
      withProof(author, activity, {
        options: { created: new Date(clock.now().getTime() - 13 * 3_600_000).toISOString() },
      }),
    'with a proof without a date': (activity) =>
      withProof(author, activity, { options: { created: undefined } }),
    'with a proof that expired': (activity) =>
      withProof(author, activity, { options: { expires: clock.now().toISOString() } }),
    'with a proof for another purpose': (activity) =>
      withProof(author, activity, { options: { proofPurpose: 'authentication' } }),
    'with a proof by another cryptosuite': (activity) =>
      withProof(author, activity, { options: { cryptosuite: 'eddsa-rdfc-2022' } }),
    'with a set of proofs': async (activity) => {
      const { proof, ...rest } = await withProof(author, activity)
      return { ...rest, proof: [proof] }
    },
    'with a proof of another text': async (activity) => ({
      ...(await withProof(author, { ...activity, summary: 'Signed' })),
      summary: 'Forged',
    }),
    'with a proof of its object alone': async (activity) => {
      const { object } = activity
      const inner = typeof object === 'object' && object !== null ? { ...object } : {}
      return { ...activity, object: await withProof(author, inner) }
    },
    'with a proof that covers more than 64 KiB': (activity) =>
      withProof(author, { ...activity, padding: 'x'.repeat(70_000) }),
    'without a proof': async (activity) => activity,
    'with an id on another server': (activity) =>
      withProof(author, { ...activity, id: `${forwarder.at.origin}/1` }),
  }

  it.each(Object.entries(variants))('%s', async (_, made) => {
    const note = reply()
    expectRefetched(await forward(await made(author.create(note))), note.id)
    expect(await storedText(note.id)).toBeNull()
  })

  it('fetches a deletion whose proof uses the key of another actor of the server', async () => {
    const neighbour = await knownPeer({ keyKind: 'ed25519', host: author.host })
    const note = await known()
    const options = { verificationMethod: neighbour.keyId }
    expectRefetched(await forward(await withProof(author, author.delete(note), { options })), note.id)
    expect(await storedText(note.id)).not.toBeNull()
  })

  it('fetches an activity that is nested too deeply for a proof', async () => {
    const note = reply()
    const proven = JSON.stringify(await withProof(author, author.create(note)))
    const body = `${proven.slice(0, -1)},"nested":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    expectRefetched(await captureDelivery(forwarder, body), note.id)
  })

  it('fetches an activity with a duplicate key whose last value was not signed', async () => {
    const note = reply()
    const proven = JSON.stringify(await withProof(author, author.create(note)))
    const forged = JSON.stringify({ ...note, content: '<p>Forged.</p>' })
    const body = (first: string, last: string) =>
      proven.replace(`"object":${JSON.stringify(note)}`, `"object":${first},"object":${last}`)
    expectRefetched(await captureDelivery(forwarder, body(JSON.stringify(note), forged)), note.id)
    expect(await storedText(note.id)).toBeNull()
    expectTaken(await captureDelivery(forwarder, body(forged, JSON.stringify(note))))
    expect(await storedText(note.id)).toBe('<p>A wren.</p>')
  })

  it('fetches an activity whose object is on another server than its actor', async () => {
    const victim = await knownPeer()
    const inReplyTo = statusUri('https://fieldfare.test', alice.username, own)
    const note = victim.note({ inReplyTo, served: false })
    for (const attributedTo of [victim.uri, author.uri]) {
      clock.advance(61_000)
      const activity = author.create({ ...note, attributedTo }, { id: `${author.uri}#create` })
      expectRefetched(await forward(await withProof(author, activity)), note.id)
    }
    expect(await storedText(note.id)).toBeNull()
  })

  it('fetches an object that another actor of the same server wrote', async () => {
    const neighbour = await knownPeer({ host: author.host })
    const note = reply({ document: { attributedTo: neighbour.uri } })
    expectRefetched(await forward(await withProof(author, author.create(note))), note.id)
    expect(await storedText(note.id)).toBeNull()
  })

  it('fetches a change of the actor itself, because an old profile may have an old key', async () => {
    for (const activity of [author.update(), author.deleteSelf()]) {
      clock.advance(61_000)
      expectRefetched(await forward(await withProof(author, activity)), author.uri)
    }
    const row = await context().db.select().from(accounts).where(eq(accounts.id, author.id))
    expect(row).toHaveLength(1)
  })

  it('fetches an Update that is no newer than the stored version', async () => {
    const note = await known()
    const old = await withProof(author, edited(note, '<p>Second.</p>'))
    clock.advance(1_000)
    const now = clock.now()
    expect((await author.send(edited(note, '<p>Third.</p>', now))).status).toBe(202)
    const same = await withProof(author, edited(note, '<p>Other.</p>', now))
    const undated = await withProof(author, author.update({ ...note, content: '<p>Undated.</p>' }))
    const ahead = new Date(now.getTime() + 3_600_000)
    const future = await withProof(author, edited(note, '<p>Future.</p>', ahead))
    for (const replayed of [old, same, undated, future]) {
      clock.advance(61_000)
      expectRefetched(await forward(replayed), note.id)
      expect(await storedText(note.id)).toBe('<p>Third.</p>')
    }
  })
})

describe('a forwarded activity with a valid proof', () => {
  it('does not restore a deleted post', async () => {
    const note = reply()
    const create = await withProof(author, author.create(note))
    await forward(create)
    await forward(await withProof(author, author.delete(note)))
    clock.advance(600_000)
    await forward(create, await knownPeer())
    expect(await storedText(note.id)).toBeNull()
  })

  it('a proven activity of a suspended account or server has no effect and causes no fetch', async () => {
    const note = reply()
    const proven = await withProof(author, author.create(note))
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, author.id))
    const suspended = await forward(proven)
    expect([suspended.jobs, suspended.reasons]).toEqual([[], ['its actor is suspended']])
    await db.update(accounts).set({ suspendedAt: null }).where(eq(accounts.id, author.id))
    await domainLimit(author.host, 'suspend')
    const limited = await forward(proven)
    expect([limited.jobs, limited.reasons]).toEqual([[], ['forwarded from a suspended server']])
    expect(await storedText(note.id)).toBeNull()
  })

  it('does not notify the author of the parent about an account they block', async () => {
    await relation.block(alice, author)
    const note = reply({ mentions: [fediverse.local(alice)] })
    await forward(await withProof(author, author.create(note)))
    expect((await as(alice).get('/api/v1/notifications')).body).toEqual([])
    const { body } = await as(alice).get(`/api/v1/statuses/${own}/context`)
    expect(body).toMatchObject({ descendants: [] })
  })

  it('ignores proofs of other activity types, because a replay could repeat what was undone', async () => {
    const note = await known()
    for (const activity of [
      author.follow(fediverse.local(alice)),
      author.like(statusUri('https://fieldfare.test', alice.username, own)),
      author.announce(note.id),
      author.undo(author.follow(fediverse.local(alice))),
      author.block(fediverse.local(alice)),
      author.move({ uri: forwarder.uri }),
    ]) {
      const answer = await forward(await withProof(author, activity))
      expect(answer.jobs).toEqual([])
      expect(answer.reasons).toEqual([`${activity.type} forwarded by another server`])
    }
    expect(await relationshipBetween(alice, author)).toMatchObject({ followed_by: false, blocked_by: false })
  })

  it('fetches the proven activity of an unknown account', async () => {
    const stranger = await fediverse.actor({ keyKind: 'ed25519' })
    const inReplyTo = statusUri('https://fieldfare.test', alice.username, own)
    const note = stranger.note({ inReplyTo })
    expectRefetched(await forward(await withProof(stranger, stranger.create(note))), note.id)
  })
})
