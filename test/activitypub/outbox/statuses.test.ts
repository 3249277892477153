import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts } from '../../../src/db/schema'
import { as } from '../../support/as'
import { sentByCouriers } from '../../support/courier'
import { given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { storedUpload } from '../../support/given-upload'
import { clock, context, settleLateWork } from '../../support/test-app'

const everybody = 'https://www.w3.org/ns/activitystreams#Public'
const Made = z.object({ id: z.string() })

let alice: TestAccount
let follower: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  follower = await knownPeer()
  await relation.follow(follower, alice)
})

const actor = () => `https://fieldfare.test/users/${alice.username}`

async function post(body: Readonly<Record<string, unknown>>, by = alice): Promise<string> {
  const answer = await as(by).post('/api/v1/statuses', body)
  expect(answer.status).toBe(200)
  await sentByCouriers()
  return Made.parse(answer.body).id
}

const types = (peer: KnownPeer) => peer.received().map(({ type }) => type)

describe('a new status', () => {
  it('delivers a Create signed by its author to followers, with one POST per shared inbox (pitfall 67) [T-111]', async () => {
    const second = await knownPeer({ host: follower.host })
    await relation.follow(second, alice)
    const id = await post({ status: 'The wren sings.' })
    const uri = `${actor()}/statuses/${id}`
    expect(follower.deliveries().map(({ url }) => url)).toEqual([follower.sharedInbox])
    expect(follower.received()).toMatchObject([
      {
        '@context': expect.anything(),
        id: `${uri}/activity`,
        type: 'Create',
        actor: actor(),
        to: [everybody],
        cc: [`${actor()}/followers`],
        object: { id: uri, type: 'Note', attributedTo: actor(), content: '<p>The wren sings.</p>' },
      },
    ])
    const [request] = follower.deliveries()
    expect(request?.headers.get('signature')).toContain(`keyId="${actor()}#main-key"`)
  })

  it('delivers to mentioned accounts and the replied-to author, followers or not [T-112]', async () => {
    const [named, answered] = [await knownPeer(), await knownPeer()]
    const parent = await storedStatus({ accountId: answered.id, local: false })
    await post({ status: `@${named.handle} look`, in_reply_to_id: String(parent) })
    expect(types(named)).toEqual(['Create'])
    expect(types(answered)).toEqual(['Create'])
  })

  it('delivers a private status to followers and mentioned accounts only (pitfall 55) [T-113]', async () => {
    const [named, answered] = [await knownPeer(), await knownPeer()]
    const parent = await storedStatus({ accountId: answered.id, local: false })
    await post({
      status: `@${named.handle} between us`,
      visibility: 'private',
      in_reply_to_id: String(parent),
    })
    expect([types(follower), types(named), types(answered)]).toEqual([['Create'], ['Create'], []])
  })

  it('delivers a direct status to mentioned accounts only, also as a reply (pitfall 55) [T-114]', async () => {
    const [named, answered] = [await knownPeer(), await knownPeer()]
    const parent = await storedStatus({ accountId: answered.id, local: false })
    await post({
      status: `@${named.handle} psst`,
      visibility: 'direct',
      in_reply_to_id: String(parent),
    })
    expect([types(follower), types(named), types(answered)]).toEqual([[], ['Create'], []])
    expect(named.received()).toMatchObject([{ to: [named.uri], cc: [] }])
  })

  it('delivers nothing to suspended servers and accounts', async () => {
    const [limited, gone] = [await knownPeer(), await knownPeer()]
    for (const peer of [limited, gone]) await relation.follow(peer, alice)
    await domainLimit(limited.host, 'suspend')
    await suspend(limited.id)
    await suspend(gone.id)
    await post({ status: 'Not for all' })
    expect([types(follower), types(limited), types(gone)]).toEqual([['Create'], [], []])
  })

  it('does not federate a reply to a local-only status', async () => {
    const parent = await storedStatus({ accountId: alice.id, localOnly: true })
    await post({ status: 'Me again', in_reply_to_id: String(parent) })
    expect(types(follower)).toEqual([])
  })

  it('delivers a status without remote followers nowhere', async () => {
    const bob = await given.account()
    const handed: string[] = []
    const couriers = { enqueue: async (host: string) => void handed.push(host), wake: async () => undefined }
    await as(bob).post('/api/v1/statuses', { status: 'Alone' }, { overrides: { couriers } })
    await settleLateWork()
    expect(handed).toEqual([])
  })
})

describe('an edited status', () => {
  it('sends an Update to followers and to accounts that replied', async () => {
    const reader = await knownPeer()
    const id = await post({ status: 'Frist' })
    await storedStatus({ accountId: reader.id, local: false, inReplyToId: Number(id) })
    await as(alice).put(`/api/v1/statuses/${id}`, { status: 'First' })
    await sentByCouriers()
    expect(types(follower)).toEqual(['Create', 'Update'])
    expect(reader.received()).toMatchObject([
      { type: 'Update', object: { content: '<p>First</p>', updated: expect.any(String) } },
    ])
  })

  it('sends new descriptions of media', async () => {
    const upload = await storedUpload(alice, { description: 'A wren' })
    const id = await post({ status: 'look', media_ids: [upload] })
    const words = { id: upload, description: 'A heron', focus: '0.5,-0.5' }
    await as(alice).put(`/api/v1/statuses/${id}`, { media_attributes: [words] })
    await sentByCouriers()
    const update = follower.received().at(-1)
    expect(update).toMatchObject({
      type: 'Update',
      object: { attachment: [{ name: 'A heron', focalPoint: [0.5, -0.5] }], updated: expect.any(String) },
    })
  })

  it('sends an Update of a direct status also to accounts it no longer mentions, and nobody else', async () => {
    const [named, next] = [await knownPeer(), await knownPeer()]
    const id = await post({ status: `@${named.handle} psst`, visibility: 'direct' })
    await as(alice).put(`/api/v1/statuses/${id}`, { status: `@${next.handle} psst` })
    await sentByCouriers()
    expect([types(named), types(next), types(follower)]).toEqual([['Create', 'Update'], ['Update'], []])
  })
})

describe('a deleted status', () => {
  it('sends a Delete to followers and everybody who interacted with the status', async () => {
    const [named, reader] = [await knownPeer(), await knownPeer()]
    const id = await post({ status: `@${named.handle} soon gone` })
    await storedStatus({ accountId: reader.id, local: false, inReplyToId: Number(id) })
    await as(alice).delete(`/api/v1/statuses/${id}`)
    await sentByCouriers()
    const uri = `${actor()}/statuses/${id}`
    expect([types(follower), types(named), types(reader)]).toEqual([
      ['Create', 'Delete'],
      ['Create', 'Delete'],
      ['Delete'],
    ])
    expect(reader.received()).toMatchObject([{ actor: actor(), object: { id: uri, type: 'Tombstone' } }])
  })

  it('does not send the Delete of a direct status to followers', async () => {
    const named = await knownPeer()
    const id = await post({ status: `@${named.handle} psst`, visibility: 'direct' })
    await as(alice).delete(`/api/v1/statuses/${id}`)
    await sentByCouriers()
    expect([types(follower), types(named)]).toEqual([[], ['Create', 'Delete']])
  })
})

describe('a reblog', () => {
  it('sends an Announce to followers and the author, and an Undo that embeds it', async () => {
    const author = await knownPeer()
    const original = await storedStatus({ accountId: author.id, local: false })
    const uri = `https://elsewhere.test/statuses/${original}`
    await as(alice).post(`/api/v1/statuses/${original}/reblog`)
    await as(alice).post(`/api/v1/statuses/${original}/reblog`)
    await sentByCouriers()
    await as(alice).post(`/api/v1/statuses/${original}/unreblog`)
    await sentByCouriers()
    for (const peer of [follower, author]) {
      expect(types(peer)).toEqual(['Announce', 'Undo'])
      const [announce, undo] = peer.received()
      expect(announce).toMatchObject({ actor: actor(), object: uri, to: [everybody] })
      expect(undo).toMatchObject({ object: { type: 'Announce', id: announce?.['id'], object: uri } })
    }
  })

  it('does not federate a reblog of a local-only status', async () => {
    const bob = await given.account()
    const hidden = await storedStatus({ accountId: bob.id, localOnly: true })
    await as(alice).post(`/api/v1/statuses/${hidden}/reblog`)
    await sentByCouriers()
    expect(types(follower)).toEqual([])
  })
})

describe('a favourite', () => {
  it('sends a Like to the author’s own inbox alone, and an Undo with the same id that embeds it', async () => {
    const author = await knownPeer()
    const status = await storedStatus({ accountId: author.id, local: false })
    await as(alice).post(`/api/v1/statuses/${status}/favourite`)
    await sentByCouriers()
    await as(alice).post(`/api/v1/statuses/${status}/unfavourite`)
    await sentByCouriers()
    expect(types(follower)).toEqual([])
    expect(author.deliveries().map(({ url }) => url)).toEqual([author.inbox, author.inbox])
    const [like, undo] = author.received()
    const object = `https://elsewhere.test/statuses/${status}`
    expect(like).toMatchObject({ type: 'Like', actor: actor(), object })
    expect(undo).toMatchObject({ type: 'Undo', actor: actor(), object: { type: 'Like', id: like?.['id'] } })
  })
})

describe('a pin', () => {
  it('sends an Add to the featured collection, and a Remove', async () => {
    const id = await post({ status: 'Read me first' })
    await as(alice).post(`/api/v1/statuses/${id}/pin`)
    await sentByCouriers()
    await as(alice).post(`/api/v1/statuses/${id}/unpin`)
    await sentByCouriers()
    const delivered = { object: `${actor()}/statuses/${id}`, target: `${actor()}/collections/featured` }
    expect(follower.received().slice(1)).toMatchObject([
      { type: 'Add', ...delivered },
      { type: 'Remove', ...delivered },
    ])
  })
})

async function suspend(id: number) {
  await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, id))
}
