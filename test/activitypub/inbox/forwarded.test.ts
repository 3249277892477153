import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { refetchForwarded } from '../../../src/activitypub/inbox/forwarded'
import { receive } from '../../../src/activitypub/inbox/receive'
import { readActivity } from '../../../src/activitypub/vocab/activity'
import { statusUri } from '../../../src/contract/addresses'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { testKey } from '../../support/fediverse/keys'
import { processActivity } from '../../support/fediverse/process-activity'
import { signed } from '../../support/fediverse/signing'
import { given } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { storedStatus } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'
import { relationshipBetween } from '../../support/viewer-state'

/** A status of a peer that is stored here, and what its server answers now. */
async function stored() {
  const [alice, author] = [await given.account(), await given.peer()]
  const note = author.note()
  const id = await storedStatus({ accountId: author.id, local: false, uri: note.id })
  return { alice, author, note, shown: async () => (await as(alice).get(`/api/v1/statuses/${id}`)).status }
}

/** The jobs a hint leads to. */
async function jobsFor(document: unknown): Promise<readonly Job[]> {
  const jobs: Job[] = []
  const activity = readActivity(document)
  if (activity === null) throw new Error('no activity')
  const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
  await refetchForwarded(ctx, activity, null)
  return jobs
}

async function recheck(uri: string): Promise<void> {
  await context().resolver.refetch(uri)
  await settleLateWork()
}

describe('a forwarded activity of another server', () => {
  it('fetches the object of a forwarded Delete or Update of a stored post from its server', async () => {
    const { author, note } = await stored()
    for (const activity of [author.delete(note), author.update(note), author.deleteSelf()]) {
      clock.advance(61_000)
      const object = readActivity(activity)?.object?.id
      expect(await jobsFor(activity)).toMatchObject([{ kind: 'refetch-object', uri: object }])
    }
  })

  it('fetches the object of a forwarded reply to a stored post, and of no other Create', async () => {
    const [alice, author] = [await given.account(), await given.peer()]
    const own = await storedStatus({ accountId: alice.id })
    const parent = statusUri('https://fieldfare.test', alice.username, own)
    const reply = author.note({ inReplyTo: parent })
    expect(await jobsFor(author.create(reply))).toEqual([{ kind: 'refetch-object', uri: reply.id }])
    expect(await jobsFor(author.create(author.note()))).toEqual([])
  })

  it('fetches a forwarded object once, and again a minute after a change, however many servers forward it', async () => {
    const { author, note } = await stored()
    const delays: (number | undefined)[] = []
    const send = async (_job: Job, options?: { readonly delaySeconds: number }) =>
      void delays.push(options?.delaySeconds)
    const forward = async (document: unknown) => {
      const activity = readActivity(document)
      if (activity === null) throw new Error('no activity')
      await refetchForwarded(context({ jobs: { send } }), activity, null)
    }
    await forward(author.update(note))
    expect(delays).toEqual([undefined])
    for (let time = 0; time < 3; time += 1) await forward(author.delete(note))
    expect(delays).toEqual([undefined, 60])
    clock.advance(61_000)
    await forward(author.delete(note))
    expect(delays).toEqual([undefined, 60, undefined])
  })

  it('fetches again after a minute where a Delete follows the Create at once', async () => {
    const [alice, author] = [await given.account(), await given.peer()]
    const own = await storedStatus({ accountId: alice.id })
    const reply = author.note({ inReplyTo: statusUri('https://fieldfare.test', alice.username, own) })
    expect(await jobsFor(author.create(reply))).toHaveLength(1)
    expect(await jobsFor(author.create(reply))).toEqual([])
    await recheck(reply.id)
    expect(await jobsFor(author.delete(reply))).toEqual([{ kind: 'refetch-object', uri: reply.id }])
  })

  it('fetches at most a hundred forwarded objects a minute from one server', async () => {
    const [alice, author] = [await given.account(), await given.peer()]
    const own = await storedStatus({ accountId: alice.id })
    const inReplyTo = statusUri('https://fieldfare.test', alice.username, own)
    const hint = () => jobsFor(author.create(author.note({ inReplyTo, served: false })))
    let led = 0
    for (let index = 0; index < 105; index += 1) led += (await hint()).length
    expect(led).toBe(100)
    clock.advance(61_000)
    expect(await hint()).toHaveLength(1)
  })

  it('ignores the Linked Data signature of a forwarded activity [T-062]', async () => {
    const [alice, victim, peer] = [await given.account(), await given.peer(), await given.peer()]
    const signature = { type: 'RsaSignature2017', creator: victim.keyId, created: 'x', signatureValue: 'x' }
    const follow = { ...victim.follow(fediverse.local(alice)), signature }
    expect((await peer.send(follow)).status).toBe(202)
    expect(await relationshipBetween(alice, victim)).toMatchObject({ followed_by: false })
    // The copy of the signer's own is not hurt by one.
    await peer.send({ ...peer.follow(fediverse.local(alice)), signature })
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: true })
  })

  it('fetches the object of an Update or Delete that a group announces, and of nothing else a group forwards', async () => {
    const { author, note, shown } = await stored()
    const group = await given.peer()
    const jobs: Job[] = []
    const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
    const deletion = { ...author.delete(note), object: note.id }
    for (const passedOn of [author.update(note), deletion]) {
      clock.advance(61_000)
      await processActivity(group, group.announce(passedOn), ctx)
      expect(jobs.splice(0)).toMatchObject([{ kind: 'refetch-object', uri: note.id }])
    }
    clock.advance(61_000)
    for (const passedOn of [
      author.like(note.id),
      author.undo(author.like(note.id)),
      author.delete(author.note()),
    ])
      await processActivity(group, group.announce(passedOn), ctx)
    expect(jobs).toEqual([])
    expect(await shown()).toBe(200)
    fediverse.network.gone(note.id)
    await recheck(note.id)
    expect(await shown()).toBe(404)
  })

  it('fetches nothing for unknown objects, and for activities that only their actor may send', async () => {
    const { author, note } = await stored()
    const stranger = await fediverse.actor()
    expect(await jobsFor(stranger.delete(stranger.note()))).toEqual([])
    for (const activity of [
      author.like(note.id),
      author.announce(note.id),
      author.undo(author.like(note.id)),
    ])
      expect(await jobsFor(activity)).toEqual([])
  })

  it('does not change the stored object by itself', async () => {
    const { author, note, shown } = await stored()
    const other = await given.peer()
    const forged: Record<string, unknown> = { ...author.delete(note) }
    expect((await other.send(forged)).status).toBe(202)
    expect(await shown()).toBe(200)
  })
})

describe('refreshing an object from its server', () => {
  it.each<[string, (author: KnownPeer, uri: string) => void]>([
    ['answers 410', (_, uri) => fediverse.network.gone(uri)],
    ['answers 410 and nothing else', (_, uri) => fediverse.network.gone(uri, false)],
    ['has a Tombstone', (_, uri) => fediverse.network.serve(uri, { id: uri, type: 'Tombstone' })],
  ])('deletes the object where the server %s', async (_case, change) => {
    const { author, note, shown } = await stored()
    change(author, note.id)
    await recheck(note.id)
    expect(await shown()).toBe(404)
  })

  it('keeps the object where the server answers 404, because the instance actor may lack access [T-063]', async () => {
    const { note, shown } = await stored()
    fediverse.network.missing(note.id)
    await recheck(note.id)
    expect(await shown()).toBe(200)
  })

  it('keeps the object and retries where the server does not answer', async () => {
    const { note, shown } = await stored()
    fediverse.network.fail(note.id, { status: 503 })
    await expect(recheck(note.id)).rejects.toThrow('Its server does not answer')
    expect(await shown()).toBe(200)
  })

  it('keeps the object where the server still has it', async () => {
    const { note, shown } = await stored()
    await recheck(note.id)
    expect(await shown()).toBe(200)
  })

  it('deletes an account that is gone, and updates one that exists', async () => {
    const [alice, author] = [await given.account(), await given.peer()]
    author.document['name'] = 'Jenny Wren'
    await recheck(author.uri)
    const known = await as(alice).get(`/api/v1/accounts/${author.id}`)
    expect(known.body).toMatchObject({ display_name: 'Jenny Wren' })
    fediverse.network.gone(author.uri)
    await recheck(author.uri)
    expect((await as(alice).get(`/api/v1/accounts/lookup?acct=${author.handle}`)).status).toBe(404)
  })

  it('stores a reply to a local post', async () => {
    const [alice, author] = [await given.account(), await given.peer()]
    const own = await storedStatus({ accountId: alice.id })
    const inReplyTo = statusUri('https://fieldfare.test', alice.username, own)
    await recheck(author.note({ inReplyTo, mentions: [fediverse.local(alice)] }).id)
    const { body } = await as(alice).get(`/api/v1/statuses/${own}/context`)
    expect(body).toMatchObject({ descendants: [{ account: { acct: author.handle } }] })
  })

  it('refreshing an object from its server stores no new account', async () => {
    const stranger = await fediverse.actor()
    await recheck(stranger.uri)
    const known = sql`select count(*) as n from accounts where uri = ${stranger.uri}`
    expect(await context().db.all(known)).toEqual([{ n: 0 }])
  })
})

describe('a Delete of an actor whose key is gone', () => {
  it('fetches the address of a known actor', async () => {
    const peer = await given.peer()
    const body = JSON.stringify(peer.deleteSelf())
    const [url, method] = ['https://fieldfare.test/inbox', 'POST'] as const
    // A key nobody has any more: that in store does not fit.
    const key = await testKey('rsa-other')
    const headers = await signed('cavage', { url, method, body, key, keyId: peer.keyId, at: clock.now() })
    const jobs: Job[] = []
    const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
    const receipt = await receive(ctx, new Request(url, { method, headers }), new TextEncoder().encode(body))
    expect(receipt).toEqual({ kind: 'done' })
    expect(jobs).toEqual([{ kind: 'refetch-object', uri: peer.uri }])
  })
})
