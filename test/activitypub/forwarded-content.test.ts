import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { statuses } from '../../src/db/schema'
import { as } from '../support/as'
import { captureDelivery, portRecorder } from '../support/capture-delivery'
import { fediverse } from '../support/fediverse'
import { collection } from '../support/fediverse/documents'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { runJob } from '../support/run-job'
import { context, settleLateWork } from '../support/test-app'
import { notificationsOf } from '../support/viewer-state'

/** Hostile answers to the fetches that follow a delivery: threads, reblogs, forwarded activities. */

const { network } = fediverse
const Made = z.object({ id: z.string(), uri: z.string() })

let ada: TestAccount
let eve: KnownPeer
let rosa: KnownPeer

beforeEach(async () => {
  ada = await given.account()
  eve = await knownPeer()
  rosa = await knownPeer()
  await relation.follow(ada, eve)
})

/** Delivers it and does all the work that comes of it, step by step; answers what was asked of whom. */
async function deliver(activity: Parameters<KnownPeer['send']>[0]): Promise<readonly string[]> {
  const mark = network.mark()
  const { status, jobs } = await captureDelivery(eve, activity)
  expect(status).toBe(202)
  const left = [...jobs]
  for (let job = left.shift(); job !== undefined; job = left.shift()) {
    const recorder = portRecorder()
    await runJob(context(recorder.overrides), job)
    await settleLateWork()
    const { jobs: more, errors } = recorder.read()
    expect(errors).toEqual([])
    left.push(...more)
  }
  return network.since(mark).map(({ url }) => url)
}

async function isStored(uri: string): Promise<boolean> {
  const found = await context().db.select({ id: statuses.id }).from(statuses).where(sql`uri = ${uri}`)
  return found.length > 0
}

describe('a list of answers', () => {
  it('does not trust a replies collection that redirects to another server [T-048]', async () => {
    const victim = await knownPeer()
    const forged = victim.note({ content: '<p>never said</p>', served: false })
    network.missing(forged.id)
    const list = `${eve.at.origin}/forged-list`
    network.serve(list, collection(list, [{ ...forged, inReplyTo: 'https://any.test/1' }], 'Collection'))
    const redirecting = `${victim.at.origin}/login?next=${list}`
    network.fail(redirecting, { redirect: list })
    const id = await storedStatus({
      accountId: victim.id,
      local: false,
      uri: victim.note({ document: { replies: redirecting } }).id,
      repliesUri: redirecting,
    })
    await context().backfill.fetchReplies(id, 1)
    expect(network.requests(list)).toHaveLength(1)
    expect(await isStored(forged.id)).toBe(false)
  })

  it('sends no request to forbidden addresses in a replies collection (pitfall 27)', async () => {
    const inward = [
      'https://127.0.0.1/1',
      'https://169.254.169.254/2',
      'http://evil.test/3',
      'https://localhost/4',
      'https://[::1]/5',
    ]
    const list = `${eve.at.origin}/inward-list`
    network.serve(list, collection(list, inward, 'Collection'))
    const { id: uri } = eve.note({ document: { replies: list } })
    const id = await storedStatus({ accountId: eve.id, local: false, uri, repliesUri: list })
    const mark = network.mark()
    await context().backfill.fetchReplies(id, 1)
    expect(network.since(mark).map(({ url }) => url)).toEqual([uri, list])
  })

  it('limits requests to a victim that a replies collection names a thousand times', async () => {
    const victim = await knownPeer()
    const named = Array.from({ length: 1_000 }, (_, index) => `${victim.at.origin}/flood/${index}`)
    for (const url of named) network.missing(url)
    const list = `${eve.at.origin}/flood-list`
    network.serve(list, collection(list, named, 'Collection'))
    const { id: uri } = eve.note({ document: { replies: list } })
    const id = await storedStatus({ accountId: eve.id, local: false, uri, repliesUri: list })
    await context().backfill.fetchReplies(id, 1)
    expect(network.requests(`${victim.at.origin}/flood`).length).toBeLessThanOrEqual(30)
  })
})

describe('a reply whose parent is fetched', () => {
  it.each([
    'https://127.0.0.1/1',
    'https://localhost/2',
    'https://user:word@evil.test/3',
    'https://evil.test:22/4',
    'https://fieldfare.test/users/nobody/statuses/1',
  ])('fetching the parent of a reply sends no request to %s (pitfall 27)', async (parent) => {
    expect(await deliver(eve.create(eve.note({ inReplyTo: parent })))).toEqual([])
  })

  it('follows no redirect of a parent to private addresses (pitfall 27) [T-049]', async () => {
    const parent = `${eve.at.origin}/inward`
    network.fail(parent, { redirect: 'https://169.254.169.254/latest/meta-data' })
    const asked = await deliver(eve.create(eve.note({ inReplyTo: parent })))
    expect(new Set(asked)).toEqual(new Set([parent]))
  })

  it('refuses a parent that claims to be by another actor', async () => {
    const forged = rosa.note({ content: '<p>never said</p>', served: false })
    network.missing(forged.id)
    const parent = `${eve.at.origin}/parent`
    network.serve(parent, forged)
    await deliver(eve.create(eve.note({ inReplyTo: parent })))
    expect(await isStored(forged.id)).toBe(false)
    expect(await isStored(parent)).toBe(false)
  })

  it('refuses a parent whose author is on another server', async () => {
    const parent = `${eve.at.origin}/parent2`
    network.serve(parent, { ...eve.note({ served: false }), id: parent, attributedTo: rosa.uri })
    await deliver(eve.create(eve.note({ inReplyTo: parent })))
    expect(await isStored(parent)).toBe(false)
  })
})

describe('a reblog of a fetched post', () => {
  const sharesOf = async (uri: string) =>
    context().db.all(
      sql`select r.id from statuses r join statuses s on s.id = r.reblog_of_id where s.uri = ${uri}`,
    )

  it('does not store a reblog where the server serves followers-only posts (pitfall 38) [T-050]', async () => {
    await relation.follow(ada, rosa)
    const hidden = rosa.note({ visibility: 'private' })
    await deliver(eve.announce(hidden))
    expect(await sharesOf(hidden.id)).toEqual([])
  })

  it('does not store a reblog of a known followers-only post (pitfall 38)', async () => {
    const hidden = rosa.note({ visibility: 'private' })
    await storedStatus({ accountId: rosa.id, local: false, uri: hidden.id, visibility: 'private' })
    await deliver(eve.announce(hidden.id))
    expect(await sharesOf(hidden.id)).toEqual([])
  })

  it('fetches the reblogged post from its own server, not from the embedded copy (pitfall 37) [T-051]', async () => {
    const note = rosa.note({ content: '<p>said</p>' })
    await deliver(eve.announce({ ...note, content: '<p>never said</p>' }))
    const found = await context().db.all(sql`select content from statuses where uri = ${note.id}`)
    expect(found).toEqual([{ content: '<p>said</p>' }])
    expect(await sharesOf(note.id)).toHaveLength(1)
  })

  it('refuses a reblogged post where an address of the sharer claims to be the original', async () => {
    const forged = rosa.note({ content: '<p>never said</p>', served: false })
    network.missing(forged.id)
    const address = `${eve.at.origin}/mirror`
    network.serve(address, forged)
    await deliver(eve.announce(address))
    expect(await isStored(forged.id)).toBe(false)
  })
})

describe('a forwarded Delete or Update', () => {
  it('asks the server of a post before deleting it (pitfall 39) [T-052]', async () => {
    const note = rosa.note()
    await storedStatus({ accountId: rosa.id, local: false, uri: note.id })
    expect(await deliver({ ...rosa.delete(note) })).toEqual([note.id])
    network.missing(note.id)
    await deliver({ ...rosa.delete(note) })
    expect(await isStored(note.id)).toBe(true)
  })

  it('asks the server of a post before changing it', async () => {
    const note = rosa.note({ content: '<p>said</p>' })
    await storedStatus({ accountId: rosa.id, local: false, uri: note.id, content: '<p>said</p>' })
    const updated = new Date(Date.parse('2026-12-01T00:00:00Z')).toISOString()
    await deliver(rosa.update({ ...note, content: '<p>never said</p>', updated }))
    const found = await context().db.all(sql`select content from statuses where uri = ${note.id}`)
    expect(found).toEqual([{ content: '<p>said</p>' }])
  })
})

describe('consent to a quote', () => {
  const stateOf = async (uri: string) =>
    context().db.all(
      sql`select state from quotes where status_id = (select id from statuses where uri = ${uri})`,
    )

  it('ignores consent that the quoting server forged for a local post', async () => {
    const policy = { quote_approval_policy: 'nobody' }
    const made = await as(ada).post('/api/v1/statuses', { status: 'Quote me not', ...policy })
    const { id, uri } = Made.parse(made.body)
    for (const quoteAuthorization of [
      `${eve.uri}/consent`,
      `${fediverse.local(ada).uri}/quote_authorizations/1`,
    ]) {
      const note = eve.note({ document: { quote: uri, quoteUri: uri, quoteAuthorization } })
      network.serve(
        `${eve.uri}/consent`,
        consentTo(note.id, { of: uri, by: fediverse.local(ada).uri, at: `${eve.uri}/consent` }),
      )
      await deliver(eve.create(note))
      expect(await stateOf(note.id)).toEqual([{ state: 'pending' }])
    }
    expect((await as(ada).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ quotes_count: 0 })
    expect(await notificationsOf(ada)).toEqual([])
  })

  it('ignores consent that the quoting server forged for a remote post', async () => {
    const quoted = rosa.note()
    const consent = `${eve.uri}/consent`
    const note = eve.note({ document: { quote: quoted.id, quoteAuthorization: consent } })
    network.serve(consent, consentTo(note.id, { of: quoted.id, by: rosa.uri, at: consent }))
    await deliver(eve.create(note))
    expect(await isStored(note.id)).toBe(true)
    expect(await stateOf(note.id)).toEqual([{ state: 'pending' }])
  })
})

function consentTo(
  quoting: string,
  { of, by, at }: { readonly of: string; readonly by: string; readonly at: string },
) {
  const target = { interactionTarget: of, interactingObject: quoting }
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: at,
    type: 'QuoteAuthorization',
    attributedTo: by,
    ...target,
  }
}
