import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { statusUri } from '../../../src/contract/addresses'
import { emojiReactions, favourites } from '../../../src/db/schema'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { memberAndPeer, relation } from '../../support/given-relationships'
import { storedNotification, storedStatus } from '../../support/given-stored'
import { context } from '../../support/test-app'
import { countersOf, notificationsOf, relationshipBetween } from '../../support/viewer-state'

async function post(by: TestAccount) {
  const id = await storedStatus({ accountId: by.id })
  return { id, uri: statusUri('https://fieldfare.test', by.username, id) }
}

const shown = async (by: TestAccount, id: number) => (await as(by).get(`/api/v1/statuses/${id}`)).body

describe('the Undo of a Follow', () => {
  it.each(['embedded', 'by its id', 'under another id'])('%s ends the follow, once', async (form) => {
    const { alice, peer, target } = await memberAndPeer()
    const follow = peer.follow(target)
    await peer.send(follow)
    const forms = {
      embedded: follow,
      'by its id': follow.id,
      'under another id': { ...follow, id: `${peer.uri}#x` },
    }
    const object = Object.entries(forms).find(([name]) => name === form)?.[1]
    const undo = peer.activity('Undo', object)
    for (const copy of [undo, undo]) expect((await peer.send(copy)).status).toBe(202)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false })
    expect(await countersOf(alice)).toMatchObject({ followers_count: 0 })
    expect(await notificationsOf(alice)).toEqual([])
  })

  it('an Undo deletes a follow request as well', async () => {
    const [alice, peer] = [await given.account({ locked: true }), await given.peer()]
    const follow = peer.follow(fediverse.local(alice))
    await peer.send(follow)
    await peer.send(peer.undo(follow))
    expect(await relationshipBetween(alice, peer)).toMatchObject({ requested_by: false })
    expect(await notificationsOf(alice)).toEqual([])
  })

  it('an Undo does not end the follow of another actor', async () => {
    const { alice, peer, target } = await memberAndPeer()
    const follow = peer.follow(target)
    await peer.send(follow)
    const other = await given.peer()
    await other.send(other.activity('Undo', follow))
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: true })
  })

  it('an Undo does not invalidate ids of other actors', async () => {
    const { alice, peer, target } = await memberAndPeer()
    const other = await given.peer()
    const follow = peer.follow(target)
    await other.send(other.activity('Undo', follow.id))
    await peer.send(follow)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: true })
  })
})

describe('the Undo of a Like', () => {
  async function liked() {
    const { alice, peer } = await memberAndPeer()
    const { id, uri } = await post(alice)
    const like = peer.like(uri)
    const ctx = context()
    await ctx.db
      .insert(favourites)
      .values({ id: ctx.ids.next(), accountId: peer.id, statusId: id, uri: like.id })
    await ctx.db.run(sql`update statuses set favourites_count = 1 where id = ${id}`)
    await storedNotification({ accountId: alice.id, type: 'favourite', fromAccountId: peer.id, statusId: id })
    return { alice, peer, id, like }
  }

  it.each(['embedded', 'by its id'])('%s removes the favourite, once', async (form) => {
    const { alice, peer, id, like } = await liked()
    const undo = peer.activity('Undo', form === 'embedded' ? like : like.id)
    for (const copy of [undo, undo]) expect((await peer.send(copy)).status).toBe(202)
    expect(await shown(alice, id)).toMatchObject({ favourites_count: 0 })
    expect(await notificationsOf(alice)).toEqual([])
  })

  it('the Undo of a Like with an emoji removes that reaction only', async () => {
    const { alice, peer } = await memberAndPeer()
    const { id, uri } = await post(alice)
    const ctx = context()
    for (const name of ['🐦', '🪶']) {
      const row = { id: ctx.ids.next(), accountId: peer.id, statusId: id, name, emoji: null, uri: null }
      await ctx.db.insert(emojiReactions).values(row)
    }
    await peer.send(peer.undo(peer.like(uri, { content: '🐦' })))
    const left = await ctx.db.select().from(emojiReactions).where(sql`status_id = ${id}`)
    expect(left.map(({ name }) => name)).toEqual(['🪶'])
  })
})

describe('the Undo of an Announce', () => {
  it.each(['embedded', 'by its id'])(
    '%s removes the reblog and subtracts it from the counters',
    async (form) => {
      const { alice, peer } = await memberAndPeer()
      const { id, uri } = await post(alice)
      const announce = peer.announce(uri)
      await storedStatus({ accountId: peer.id, local: false, uri: announce.id, reblogOfId: id })
      await context().db.run(sql`update statuses set reblogs_count = 1 where id = ${id}`)
      await peer.send(peer.activity('Undo', form === 'embedded' ? announce : announce.id))
      expect(await shown(alice, id)).toMatchObject({ reblogs_count: 0 })
    },
  )
})

describe('the Undo of a Block', () => {
  it.each(['embedded', 'by its id'])('%s ends the block for both', async (form) => {
    const { alice, peer, target } = await memberAndPeer()
    await relation.follow(alice, peer)
    const block = peer.block(target)
    await peer.send(block)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ blocked_by: true })
    await peer.send(peer.activity('Undo', form === 'embedded' ? block : block.id))
    expect(await relationshipBetween(alice, peer)).toMatchObject({ blocked_by: false, following: false })
    await peer.send(block)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ blocked_by: false })
  })
})
