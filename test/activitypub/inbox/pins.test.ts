import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'

const { network } = fediverse

let reader: TestAccount
let rosa: KnownPeer
let line: ReturnType<typeof fakeQueue>

beforeEach(async () => {
  reader = await given.account()
  rosa = await given.peer()
  line = fakeQueue()
  await relation.follow(reader, rosa)
})

async function deliver(from: KnownPeer, activity: object) {
  const answer = await from.send({ ...activity }, { overrides: { jobs: line.ctx.jobs } })
  expect(answer.status).toBe(202)
  return { ...answer, outcomes: await line.work() }
}

async function pinned(of: KnownPeer = rosa, who: TestAccount = reader) {
  const { body } = await as(who).get(`/api/v1/accounts/${of.id}/statuses?pinned=true`)
  return Array.isArray(body) ? body.map(({ uri }) => uri) : []
}

describe('the Add of an unknown pinned post', () => {
  it('fetches and pins an unknown post where its author has local followers', async () => {
    const note = rosa.note()
    const { costs, fetches, outcomes } = await deliver(rosa, rosa.pin('Add', note.id))
    expect([fetches, outcomes]).toEqual([[], ['done']])
    expect(costs.trips).toBeLessThanOrEqual(3)
    expect(await pinned()).toEqual([note.id])
  })

  it('fetches nothing where the author has no local followers', async () => {
    const stranger = await given.peer()
    const note = stranger.note()
    const mark = network.mark()
    await deliver(stranger, stranger.pin('Add', note.id))
    expect(network.since(mark).filter(({ url }) => url === note.id)).toEqual([])
    expect(await pinned(stranger)).toEqual([])
  })

  it('stores the embedded post, as Mastodon sends it for followers', async () => {
    const note = rosa.note({ visibility: 'private', served: false })
    network.missing(note.id)
    const { outcomes } = await deliver(rosa, { ...rosa.pin('Add', note.id), object: note })
    expect(outcomes).toEqual([])
    expect(await pinned()).toEqual([note.id])
    expect(await pinned(rosa, await given.account())).toEqual([])
  })

  it.each<[string, (victim: KnownPeer) => object]>([
    ['names what is on another server', (victim) => rosa.pin('Add', victim.note().id)],
    [
      'names a collection that is not that of pinned posts',
      () => rosa.activity('Add', rosa.note().id, { target: `${rosa.uri}/collections/other` }),
    ],
  ])('fetches nothing where the unknown post %s', async (_case, forge) => {
    const activity = forge(await given.peer())
    const mark = network.mark()
    const { outcomes } = await deliver(rosa, activity)
    expect(outcomes).toEqual([])
    expect(network.since(mark).filter(({ method }) => method === 'GET')).toEqual([])
    expect(await pinned()).toEqual([])
  })

  it('does not pin a post of another author or of another address', async () => {
    const other = await given.peer({ host: rosa.host })
    const theirs = other.note()
    const moved = rosa.note()
    const address = rosa.freshId('statuses')
    network.serve(address, moved)
    for (const uri of [theirs.id, address]) {
      const { outcomes } = await deliver(rosa, rosa.pin('Add', uri))
      expect(outcomes).toHaveLength(1)
      expect(outcomes).not.toContain('done')
    }
    expect(await pinned()).toEqual([])
  })
})
