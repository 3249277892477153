import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { customEmojis, emojiReactions, notifications } from '../../../src/db/schema'
import { as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import type { KnownPeer } from '../../support/given-peer'
import { clock, context } from '../../support/test-app'

async function people() {
  const [alice, peer] = [await given.account(), await given.peer()]
  const { id } = await given.status({ by: alice })
  return { alice, peer, id, address: `https://fieldfare.test/users/${alice.username}/statuses/${id}` }
}

async function seenBy(who: TestAccount, id: string) {
  const { body } = await as(who).get(`/api/v1/statuses/${id}`)
  return Status.parse(body).reactions?.map(({ name, count }) => [name, count])
}

const picture = (host: string, shortcode: string, more: object = {}) => [
  {
    id: `https://${host}/emojis/${shortcode}`,
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: { type: 'Image', url: `https://${host}/files/${shortcode}.png` },
    ...more,
  },
]

describe('a remote reaction', () => {
  it('shows a remote reaction with the name and host of its emoji, serves the picture from this server, and notifies the author', async () => {
    const { alice, peer, id, address } = await people()
    await peer.send(peer.emojiReact(address, ':owl:', { tag: picture(peer.host, 'owl') }))
    await peer.send(peer.like(address, { content: '🎉', _misskey_reaction: '🎉' }))
    const { reactions } = Status.parse((await as(alice).get(`/api/v1/statuses/${id}`)).body)
    expect(reactions).toMatchObject([
      { name: `owl@${peer.host}`, count: 1, me: false },
      { name: '🎉', count: 1, me: false },
    ])
    expect(reactions?.[0]?.url).toMatch(/^https:\/\/fieldfare\.test\/media\/proxy\//)
    const notified = await context()
      .db.select()
      .from(notifications)
      .where(eq(notifications.accountId, alice.id))
    expect(notified.map(({ type, fromAccountId }) => [type, fromAccountId])).toEqual([['favourite', peer.id]])
  })

  it('counts a remote reaction with a local emoji together with local reactions', async () => {
    const { alice, peer, id, address } = await people()
    const { db, ids } = context()
    const shortcode = freshName('wren')
    const image = { key: 'emojis/w.png' }
    await db.insert(customEmojis).values({ id: ids.next(), shortcode, image, createdAt: clock.now() })
    await as(alice).post(`/api/v1/statuses/${id}/react/${shortcode}`)
    const tag = picture('fieldfare.test', shortcode, { icon: { url: 'https://evil.test/other.png' } })
    await peer.send(peer.emojiReact(address, `:${shortcode}:`, { tag }))
    expect(await seenBy(alice, id)).toEqual([[shortcode, 2]])
  })

  it('a remote reaction cannot attach its own picture to the emoji of a third server', async () => {
    const { alice, peer, id, address } = await people()
    const third = await given.peer()
    const forged = picture(third.host, 'owl', { icon: { url: `https://${peer.host}/rude.png` } })
    await peer.send(peer.emojiReact(address, ':owl:', { tag: forged }))
    expect(await seenBy(alice, id)).toEqual([[`owl@${peer.host}`, 1]])
    await third.send(third.emojiReact(address, ':owl:', { tag: picture(third.host, 'owl') }))
    const [other] = [await given.peer()]
    await other.send(other.emojiReact(address, ':owl:', { tag: picture(third.host, 'owl') }))
    expect(await seenBy(alice, id)).toEqual([
      [`owl@${peer.host}`, 1],
      [`owl@${third.host}`, 2],
    ])
  })

  it('undoes a reaction by its id, by a copy, or in Misskey’s form', async () => {
    const { alice, peer, id, address } = await people()
    const owl = peer.emojiReact(address, ':owl:', { tag: picture(peer.host, 'owl') })
    const party = peer.like(address, { content: '🎉', _misskey_reaction: '🎉' })
    const fire = peer.emojiReact(address, '🔥')
    for (const activity of [owl, party, fire]) await peer.send(activity)
    expect(await seenBy(alice, id)).toHaveLength(3)
    await peer.send(peer.activity('Undo', fire.id))
    expect(await seenBy(alice, id)).toHaveLength(2)
    await peer.send(peer.undo(owl))
    await peer.send(peer.undo({ ...party, id: `${party.id}/again` }))
    expect(await seenBy(alice, id)).toBeUndefined()
    await peer.send(owl)
    expect(await seenBy(alice, id)).toBeUndefined()
  })

  it('drops reactions beyond eight kinds by one account or fifty in all', async () => {
    const { alice, peer, id, address } = await people()
    const react = async (by: KnownPeer, from: number, count: number) => {
      for (let n = from; n < from + count; n += 1)
        await by.send(by.emojiReact(address, String.fromCodePoint(0x1f600 + n)))
    }
    await react(peer, 0, 9)
    expect(await seenBy(alice, id)).toHaveLength(8)
    for (let n = 1; n < 7; n += 1) await react(await given.peer(), 8 * n, 8)
    expect(await seenBy(alice, id)).toHaveLength(50)
  })

  it('drops a reaction with a picture where pictures of its server are rejected', async () => {
    const { alice, peer, id, address } = await people()
    await domainLimit(peer.host, 'noop', { rejectMedia: true })
    const tag = picture(peer.host, 'owl')
    await peer.send(peer.emojiReact(address, ':owl:', { tag }))
    await peer.send(peer.like(address, { content: ':owl:', tag }))
    await peer.send(peer.emojiReact(address, '🔥'))
    const { body } = await as(alice).get(`/api/v1/statuses/${id}`)
    expect(body).toMatchObject({ favourites_count: 1, reactions: [{ name: '🔥', count: 1 }] })
  })

  it.each([
    ['no text', { content: 7 }],
    ['a page of text', { content: '🔥'.repeat(200_000) }],
    ['two emojis', { content: '🔥🔥' }],
    ['markup', { content: '<img src=x onerror=alert(1)>' }],
    ['a name like a path', { content: ':../../x:', tag: picture('evil.test', '../../x') }],
    ['a name of a thousand letters', { content: `:${'a'.repeat(1_000)}:` }],
    [
      'a picture at no web address',
      { content: ':owl:', tag: [{ type: 'Emoji', name: ':owl:', icon: 'data:x' }] },
    ],
    ['a picture elsewhere than in the tag', { content: ':owl:', tag: { type: 'Emoji', name: ':owl:' } }],
    ['an address without end', { content: ':owl:', tag: picture(`evil.test/${'x'.repeat(9_000)}`, 'owl') }],
  ])('a reaction that is %s stores nothing', async (_what, over) => {
    const { alice, peer, id, address } = await people()
    const answer = await peer.send(peer.activity('EmojiReact', address, over))
    expect(answer.status).toBe(202)
    expect(await seenBy(alice, id)).toBeUndefined()
    const rows = await context().db.select().from(emojiReactions).where(eq(emojiReactions.accountId, peer.id))
    expect(rows).toEqual([])
  })

  it('a reaction costs no more than a Like', async () => {
    const { peer, address } = await people()
    const react = peer.emojiReact(address, ':owl:', { tag: picture(peer.host, 'owl') })
    for (const activity of [react, peer.undo(react)]) {
      const { costs } = await peer.send(activity)
      expect(costs.trips).toBeLessThanOrEqual(3)
      expect(costs.statements).toBeLessThanOrEqual(24)
      expect(costs.rowsRead).toBeLessThanOrEqual(60)
      // Index entries count: a notification makes four, the reaction three, its status one.
      expect(costs.rowsWritten).toBeLessThanOrEqual(8)
    }
  })
})
