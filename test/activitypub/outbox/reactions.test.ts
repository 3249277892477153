import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { customEmojis, statuses } from '../../../src/db/schema'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { freshName, given, type TestAccount } from '../../support/given'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'

async function act(who: TestAccount, status: number | string, verb: 'react' | 'unreact', name: string) {
  const answer = await as(who).post(`/api/v1/statuses/${status}/${verb}/${encodeURIComponent(name)}`)
  expect(answer.status).toBe(200)
  await settleLateWork()
  await runCourierAlarms()
}

const uriOf = ({ username }: TestAccount) => `https://fieldfare.test/users/${username}`

/** A local account, a remote follower of it, and a remote author with a status. */
async function people() {
  const [alice, follower, author] = [await given.account(), await knownPeer(), await knownPeer()]
  await relation.follow(follower, alice)
  const status = await storedStatus({ accountId: author.id, local: false })
  return { alice, follower, author, status, object: `https://elsewhere.test/statuses/${status}` }
}

const seen = (peer: KnownPeer) => peer.received()

describe('a reaction', () => {
  it('sends an EmojiReact to the author’s own inbox alone, and an Undo that embeds it', async () => {
    const { alice, follower, author, status, object } = await people()
    await act(alice, status, 'react', '🎉')
    await act(alice, status, 'react', '🎉')
    await act(alice, status, 'unreact', '🎉')
    expect(seen(follower)).toEqual([])
    expect(author.deliveries().map(({ url }) => url)).toEqual([author.inbox, author.inbox])
    const [react, undo] = seen(author)
    const actor = uriOf(alice)
    const delivered = { type: 'EmojiReact', actor, object, content: '🎉', to: [author.uri] }
    expect(react).toMatchObject(delivered)
    expect(react?.['id']).toMatch(new RegExp(`^${actor}#reactions/\\d+$`))
    expect(undo).toMatchObject({ type: 'Undo', actor, object: { ...delivered, id: react?.['id'] } })
  })

  it('a reaction with a local emoji carries its picture and its address', async () => {
    const { alice, author, status } = await people()
    const { db, ids } = context()
    const shortcode = freshName('wren')
    const image = { key: 'emojis/w.png' }
    await db.insert(customEmojis).values({ id: ids.next(), shortcode, image, createdAt: clock.now() })
    await act(alice, status, 'react', shortcode)
    await act(alice, status, 'unreact', shortcode)
    const delivered = {
      content: `:${shortcode}:`,
      tag: [
        {
          id: `https://fieldfare.test/emojis/${shortcode}`,
          type: 'Emoji',
          name: `:${shortcode}:`,
          icon: { type: 'Image', mediaType: 'image/png', url: 'https://fieldfare.test/media/emojis/w.png' },
        },
      ],
    }
    expect(seen(author)).toMatchObject([delivered, { type: 'Undo', object: delivered }])
  })

  it('a reaction with another server’s emoji uses the name that server gave it', async () => {
    const { alice, author, status } = await people()
    const uri = 'https://third.test/emojis/owl'
    const picture = { shortcode: 'owl', image: { remote: 'https://third.test/owl.png' }, uri }
    await context()
      .db.update(statuses)
      .set({ reactions: [{ name: 'owl@third.test', count: 1, emoji: picture }] })
      .where(eq(statuses.id, status))
    await act(alice, status, 'react', 'owl@third.test')
    const icon = { type: 'Image', url: 'https://third.test/owl.png' }
    expect(seen(author)).toMatchObject([
      { content: ':owl:', tag: [{ id: uri, type: 'Emoji', name: ':owl:', icon }] },
    ])
  })

  it('does not federate a reaction to a local status', async () => {
    const { alice, follower } = await people()
    const bob = await given.account()
    await relation.follow(follower, bob)
    const { id } = await given.status({ by: bob, visibility: 'private' })
    await relation.follow(alice, bob)
    await act(alice, id, 'react', '🎉')
    await act(alice, id, 'unreact', '🎉')
    expect(seen(follower).filter(({ type }) => type !== 'Create')).toEqual([])
  })

  it('a remote reaction adds its server to the recipients of edits and deletion', async () => {
    const [alice, reader] = [await given.account(), await knownPeer()]
    const { id } = await given.status({ by: alice })
    await reader.send(reader.emojiReact(`${uriOf(alice)}/statuses/${id}`, '🎉'))
    await as(alice).put(`/api/v1/statuses/${id}`, { status: 'Two wrens sing.' })
    await as(alice).delete(`/api/v1/statuses/${id}`)
    await settleLateWork()
    await runCourierAlarms()
    expect(seen(reader).map(({ type }) => type)).toEqual(['Update', 'Delete'])
  })
})
