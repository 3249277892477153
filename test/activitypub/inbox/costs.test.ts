import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../src/db/schema'
import { expectCosts } from '../../support/expect-costs'
import { fediverse } from '../../support/fediverse'
import type { Reply } from '../../support/fediverse/peer'
import { given } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { followed } from '../../support/given-remote'
import { context } from '../../support/test-app'

const followers = 4

// D1 counts what indexes write as well: a notification is four rows, a reblog four, a favourite three. Whether a
// notification is pushed is read from two tables, of apps and of browsers.

/** A remote author whom several local accounts follow and who has delivered before. */
async function knownAuthor(): Promise<KnownPeer> {
  const peer = await given.peer()
  for (const follower of await given.accounts(followers)) await followed(follower, peer)
  await peer.send(peer.create(peer.note()))
  return peer
}

function hold(
  { costs, status, fetches }: Reply,
  most: { readonly rowsRead: number; readonly rowsWritten: number },
) {
  expect({ status, fetches }).toEqual({ status: 202, fetches: [] })
  expect(costs.trips).toBeLessThanOrEqual(3)
  expect(costs.statements).toBeLessThanOrEqual(30)
  expect(costs.rowsRead).toBeLessThanOrEqual(most.rowsRead)
  expect(costs.rowsWritten).toBeLessThanOrEqual(most.rowsWritten)
}

describe('an inbox delivery costs three round trips and few rows', () => {
  it('delivers a post for followers at that cost', async () => {
    const peer = await knownAuthor()
    const sent = await peer.send(peer.create(peer.note()))
    hold(sent, { rowsRead: 60 + 2 * followers, rowsWritten: 6 + followers })
  })

  it('delivers a post by a searchable author with one more row for the index', async () => {
    const peer = await knownAuthor()
    await context().db.update(accounts).set({ indexable: true }).where(eq(accounts.id, peer.id))
    const sent = await peer.send(peer.create(peer.note()))
    hold(sent, { rowsRead: 60 + 2 * followers, rowsWritten: 7 + followers })
  })

  it('delivers a post with a hashtag that mentions a local account at that cost', async () => {
    const peer = await knownAuthor()
    const local = fediverse.local(await given.account())
    await peer.send(peer.create(peer.note({ hashtags: ['wren'] })))
    const sent = await peer.send(peer.create(peer.note({ mentions: [local], hashtags: ['wren'] })))
    // Of those that it tells of something, two rows lead to who is here to hear it, and two tell whether their feed is full.
    // Where shared streams are listened to at all, ten tell whether its own are among them. A hashtag costs a row for its
    // counters, and five to count it; a mention has an index by account, without which the deletion of any account reads
    // all mentions.
    hold(sent, { rowsRead: 78 + 4 * followers, rowsWritten: 15 + followers })
  })

  it('delivers a reply to a local post at that cost', async () => {
    const peer = await knownAuthor()
    const writer = await given.account()
    const { id } = await given.status({ by: writer })
    const inReplyTo = `${fediverse.local(writer).uri}/statuses/${id}`
    const sent = await peer.send(peer.create(peer.note({ inReplyTo })))
    hold(sent, { rowsRead: 60, rowsWritten: 7 })
  })

  it('delivers a reblog of a local post at that cost', async () => {
    const peer = await knownAuthor()
    const writer = await given.account()
    const { id } = await given.status({ by: writer })
    const sent = await peer.send(peer.announce(`${fediverse.local(writer).uri}/statuses/${id}`))
    // Other reblogs are sorted: six rows read more than with an index of them, for one row written less.
    hold(sent, { rowsRead: 66 + 2 * followers, rowsWritten: 11 + followers })
  })

  it('delivers a favourite of a local post at that cost', async () => {
    const peer = await knownAuthor()
    const writer = await given.account()
    const { id } = await given.status({ by: writer })
    const sent = await peer.send(peer.like(`${fediverse.local(writer).uri}/statuses/${id}`))
    hold(sent, { rowsRead: 60, rowsWritten: 8 })
  })

  it('writes and fetches nothing for repeated copies and irrelevant activities', async () => {
    const peer = await knownAuthor()
    const stranger = await given.peer()
    const post = peer.create(peer.note())
    await peer.send(post)
    const unwanted = [stranger.create(stranger.note()), stranger.announce('https://elsewhere.test/1')]
    const sent = [await peer.send(post), ...(await Promise.all(unwanted.map((one) => stranger.send(one))))]
    for (const { status, costs, fetches } of sent) {
      expect({ status, fetches }).toEqual({ status: 202, fetches: [] })
      expectCosts(costs, { trips: 2, rowsRead: 20, rowsWritten: 0 })
    }
  })
})
