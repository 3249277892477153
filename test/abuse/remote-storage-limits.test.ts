import { count, eq, inArray, like } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  collections,
  emojiReactions,
  featuredTags,
  remoteActors,
  reports,
  statusEdits,
  statuses,
  tags,
} from '../../src/db/schema'
import { storeCollection } from '../../src/domain/collections/remote'
import { fediverse } from '../support/fediverse'
import { processActivity } from '../support/fediverse/process-activity'
import { freshName, given } from '../support/given'
import { clock, context } from '../support/test-app'

/** Rows that a remote actor or server can add by repeating itself: each kind is bounded. */

const times = (length: number) => Array.from({ length }, (_, index) => index)
const { db } = context()

describe('storage limits of a remote account', () => {
  it('stores at most ten featured hashtags, and no other hashtags with them', async () => {
    const peer = await given.peer()
    const collection = `${peer.uri}/collections/tags`
    await db.update(remoteActors).set({ featuredTags: collection }).where(eq(remoteActors.accountId, peer.id))
    const prefix = freshName('flood')
    for (const index of times(30)) {
      const tag = { type: 'Hashtag', name: `#${prefix}x${index}`, href: 'https://x.test' }
      await processActivity(peer, peer.activity('Add', tag, { target: collection }))
    }
    const featured = await db
      .select({ count: count() })
      .from(featuredTags)
      .where(eq(featuredTags.accountId, peer.id))
    const named = await db
      .select({ count: count() })
      .from(tags)
      .where(like(tags.name, `${prefix}x%`))
    expect([featured[0]?.count, named[0]?.count]).toEqual([10, 10])
  })

  it('stores at most a hundred earlier versions of a post', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const note = peer.note({ mentions: [fediverse.local(alice)] })
    await processActivity(peer, peer.create(note))
    for (const index of times(105)) {
      clock.advance(1_000)
      const updated = clock.now().toISOString()
      await processActivity(peer, peer.update({ ...note, content: `<p>${index}</p>`, updated }))
    }
    const [status] = await db.select().from(statuses).where(eq(statuses.uri, note.id))
    const kept = await db
      .select({ count: count() })
      .from(statusEdits)
      .where(eq(statusEdits.statusId, status?.id ?? 0))
    expect([kept[0]?.count, status?.content]).toEqual([100, '<p>104</p>'])
  })

  it('stores at most eight reactions to a post', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const { id } = await given.status({ by: alice })
    const uri = `${fediverse.local(alice).uri}/statuses/${id}`
    for (const emoji of ['👍', '👎', '🎉', '🐦', '🌳', '🍎', '🥚', '🪶', '🦉', '🌧️', '☀️'])
      await processActivity(peer, peer.emojiReact(uri, emoji))
    const kept = await db
      .select({ count: count() })
      .from(emojiReactions)
      .where(eq(emojiReactions.accountId, peer.id))
    expect(kept[0]?.count).toBe(8)
  })

  it('stores at most fifty collections of accounts', async () => {
    const peer = await given.peer()
    const collection = (index: number) => ({
      uri: `${peer.uri}/collections/${index}`,
      author: peer.uri,
      url: null,
      name: 'Birds',
      descriptionHtml: '',
      language: null,
      sensitive: false,
      discoverable: true,
      tag: null,
      publishedAt: null,
      updatedAt: null,
    })
    const stored: boolean[] = []
    for (const index of times(53)) stored.push(await storeCollection(context(), peer.id, collection(index)))
    expect(stored.filter(Boolean)).toHaveLength(50)
    expect(await storeCollection(context(), peer.id, { ...collection(0), name: 'Larks' })).toBe(true)
    const kept = await db.select().from(collections).where(eq(collections.accountId, peer.id))
    expect(kept.map(({ name }) => name).filter((name) => name === 'Larks')).toHaveLength(1)
  })
})

describe('a server has reports stored', () => {
  it('stores reports of a server about a hundred accounts a day, whichever actors sign them', async () => {
    const [alice, one, other] = [
      await given.account(),
      await given.peer({ host: 'a.angry.test' }),
      await given.peer({ host: 'b.angry.test' }),
    ]
    await context().throttle.spend('remoteReports', 'angry.test', 98)
    const { uri } = fediverse.local(alice)
    const outcomes = []
    for (const peer of [one, other, other, one])
      outcomes.push(await processActivity(peer, peer.flag([uri], 'rude')))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'rejected', 'rejected'])
    const kept = await db
      .select()
      .from(reports)
      .where(inArray(reports.accountId, [one.id, other.id]))
    expect(kept).toHaveLength(2)
  })
})
