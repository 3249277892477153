import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { emojiReactions, favourites, statuses, statusPins } from '../../../src/db/schema'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { processActivity } from '../../support/fediverse/process-activity'
import { given, type TestAccount } from '../../support/given'
import { followed } from '../../support/given-remote'
import { storedNotificationsOf } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'

const done = { kind: 'done' }

/** A writer of ours with a status, a reader of ours who follows somebody elsewhere. */
async function people(visibility: 'public' | 'private' | 'direct' = 'public') {
  const [writer, reader, peer] = [await given.account(), await given.account(), await given.peer()]
  await followed(reader, peer)
  const status = await given.status({ by: writer, visibility })
  return { writer, reader, peer, status, address: addressOf(writer, status) }
}

const addressOf = ({ username }: TestAccount, { id }: { readonly id: string }) =>
  `https://fieldfare.test/users/${username}/statuses/${id}`

/** A context whose queue is a list. */
function listening() {
  const jobs: Job[] = []
  return { jobs, ctx: context({ jobs: { send: async (job) => void jobs.push(job) } }) }
}

async function storedId(uri: string): Promise<number | null> {
  const [row] = await context().db.select({ id: statuses.id }).from(statuses).where(eq(statuses.uri, uri))
  return row?.id ?? null
}

describe('Announce', () => {
  it('an Announce of a local post counts once, notifies its author and enters the feeds of followers', async () => {
    const { writer, reader, peer, status, address } = await people()
    const share = peer.announce(address)
    expect(await processActivity(peer, share)).toEqual(done)
    expect((await processActivity(peer, share)).kind).toBe('ignored')
    await processActivity(peer, peer.announce(address))
    const home = await as(reader).get('/api/v1/timelines/home')
    expect(home.body).toMatchObject([{ uri: share.id, reblog: { id: status.id, reblogs_count: 1 } }])
    expect(await storedNotificationsOf(writer)).toEqual([{ type: 'reblog', from: peer.id }])
  })

  it('ignores an Announce of a post that its actor may not see or not reblog', async () => {
    for (const visibility of ['private', 'direct'] as const) {
      const { peer, address } = await people(visibility)
      const share = peer.announce(address)
      expect((await processActivity(peer, share)).kind).toBe('ignored')
      expect(await storedId(share.id)).toBeNull()
    }
    const { writer, peer } = await people()
    await followed(peer, writer)
    const hidden = await given.status({ by: writer, visibility: 'private' })
    const share = peer.announce(addressOf(writer, hidden))
    expect((await processActivity(peer, share)).kind).toBe('rejected')
    expect(await storedId(share.id)).toBeNull()
  })

  it('ignores an Announce by an account the author blocks', async () => {
    const { writer, peer, address } = await people()
    await as(writer).post(`/api/v1/accounts/${peer.id}/block`)
    const share = peer.announce(address)
    expect((await processActivity(peer, share)).kind).toBe('ignored')
    expect(await storedNotificationsOf(writer)).toEqual([])
  })

  it('hides an Announce of a post whose author the reader blocks [T-067]', async () => {
    const { reader, peer } = await people()
    const blocked = await given.peer()
    await followed(reader, blocked)
    const note = blocked.note()
    await processActivity(blocked, blocked.create(note))
    await as(reader).post(`/api/v1/accounts/${blocked.id}/block`)
    expect(await processActivity(peer, peer.announce(note.id))).toEqual(done)
    expect((await as(reader).get('/api/v1/timelines/home')).body).toEqual([])
  })

  it('queues a job that fetches an unknown announced post, and ignores the embedded copy [T-068]', async () => {
    const { peer } = await people()
    const author = await fediverse.actor()
    const forged = author.note({ content: '<p>Forged.</p>', served: false })
    const { jobs, ctx } = listening()
    const share = peer.announce(forged)
    expect(await processActivity(peer, share, ctx)).toEqual(done)
    await settleLateWork()
    expect(jobs).toMatchObject([
      {
        kind: 'fetch-reblogged-status',
        accountId: peer.id,
        uri: share.id,
        statusUri: forged.id,
        visibility: 'public',
      },
    ])
    expect(await storedId(forged.id)).toBeNull()
  })

  it('an Announce of activities, as groups send them, counts for new posts only', async () => {
    const { peer } = await people()
    const member = await given.peer()
    const note = member.note()
    const { jobs, ctx } = listening()
    const vote = await processActivity(peer, peer.announce(member.like(note.id)), ctx)
    await processActivity(peer, peer.announce(member.create(note)), ctx)
    await settleLateWork()
    expect(vote.kind).toBe('ignored')
    expect(jobs).toMatchObject([{ kind: 'fetch-reblogged-status', statusUri: note.id }])
  })

  it('fetches nothing for an Announce of an unknown post by an account without local followers', async () => {
    const peer = await given.peer()
    const { jobs, ctx } = listening()
    const outcome = await processActivity(peer, peer.announce('https://victim.test/statuses/1'), ctx)
    await settleLateWork()
    expect(outcome).toEqual({ kind: 'ignored', reason: 'no local relevance' })
    expect(jobs).toEqual([])
  })

  it('an Announce of a deleted local post causes no request to this server', async () => {
    const { writer, peer } = await people()
    const { jobs, ctx } = listening()
    expect((await processActivity(peer, peer.announce(addressOf(writer, { id: '12' })), ctx)).kind).toBe(
      'ignored',
    )
    await settleLateWork()
    expect(jobs).toEqual([])
  })

  it('an Announce sorts by its date, at most the present', async () => {
    const { peer, address } = await people()
    const other = await given.peer()
    const published = new Date(clock.now().getTime() - 86_400_000)
    const early = peer.announce(address, { published: published.toISOString() })
    const late = other.announce(address, { published: '2099-01-01T00:00:00Z' })
    await processActivity(peer, early)
    await processActivity(other, late)
    const { db } = context()
    const times = [early, late].map(
      async ({ id }) => (await db.select().from(statuses).where(eq(statuses.uri, id)))[0],
    )
    expect((await Promise.all(times)).map((row) => row?.createdAt)).toEqual([published, clock.now()])
  })

  it('Undo and Delete undo an Announce, also when they arrive first', async () => {
    const { peer, status, address, writer } = await people()
    const one = peer.announce(address)
    await processActivity(peer, one)
    await processActivity(peer, peer.undo(one))
    expect(await storedId(one.id)).toBeNull()
    expect((await processActivity(peer, one)).kind).toBe('ignored')
    const two = peer.announce(address)
    await processActivity(peer, two)
    await processActivity(peer, peer.delete(two.id))
    expect(await storedId(two.id)).toBeNull()
    const three = peer.announce(address)
    await processActivity(peer, peer.undo(three))
    expect((await processActivity(peer, three)).kind).toBe('ignored')
    expect((await as(writer).get(`/api/v1/statuses/${status.id}`)).body).toMatchObject({ reblogs_count: 0 })
  })
})

describe('Like', () => {
  it('a Like counts once, notifies the author, and can be undone', async () => {
    const { writer, peer, status, address } = await people()
    const like = peer.like(address)
    await processActivity(peer, like)
    await processActivity(peer, like)
    await processActivity(peer, peer.like(address))
    const shown = await as(writer).get(`/api/v1/statuses/${status.id}`)
    expect(shown.body).toMatchObject({ favourites_count: 1 })
    expect(await storedNotificationsOf(writer)).toEqual([{ type: 'favourite', from: peer.id }])
    const marks = await context()
      .db.select()
      .from(favourites)
      .where(eq(favourites.statusId, Number(status.id)))
    expect(marks).toMatchObject([{ accountId: peer.id, uri: like.id }])
    await processActivity(peer, peer.undo(like))
    expect((await processActivity(peer, like)).kind).toBe('ignored')
    const after = await as(writer).get(`/api/v1/statuses/${status.id}`)
    expect(after.body).toMatchObject({ favourites_count: 0 })
  })

  it('a Like of a stored remote post is counted', async () => {
    const { reader, peer } = await people()
    const fan = await given.peer()
    const note = peer.note()
    await processActivity(peer, peer.create(note))
    await processActivity(fan, fan.like(note.id))
    const shown = await as(reader).get(`/api/v1/statuses/${await storedId(note.id)}`)
    expect(shown.body).toMatchObject({ favourites_count: 1 })
  })

  it('ignores a Like of an unknown post or of one hidden from its actor', async () => {
    const { peer, address } = await people('private')
    for (const object of [
      address,
      'https://victim.test/statuses/1',
      'https://fieldfare.test/users/x/statuses/1',
    ])
      expect((await processActivity(peer, peer.like(object))).kind).toBe('ignored')
    const marks = await context().db.select().from(favourites).where(eq(favourites.accountId, peer.id))
    expect(marks).toEqual([])
  })

  it('reads a Like with an emoji, as Misskey sends it, and an EmojiReact as reactions, and a heart as a favourite [T-069]', async () => {
    const { writer, peer, status, address } = await people()
    const picture = {
      type: 'Emoji',
      name: ':wren:',
      icon: { type: 'Image', url: 'https://elsewhere.test/w.png' },
    }
    await processActivity(peer, peer.like(address, { content: '🎉', _misskey_reaction: '🎉' }))
    await processActivity(peer, peer.emojiReact(address, ':wren:', { tag: [picture] }))
    await processActivity(peer, peer.emojiReact(address, ':wren:', { tag: [picture] }))
    await processActivity(peer, peer.emojiReact(address, 'no emoji'))
    await processActivity(peer, peer.like(address, { content: '❤' }))
    const { db } = context()
    const reactions = await db
      .select()
      .from(emojiReactions)
      .where(eq(emojiReactions.statusId, Number(status.id)))
      .orderBy(emojiReactions.id)
    expect(reactions.map(({ name, emoji }) => ({ name, emoji }))).toEqual([
      { name: '🎉', emoji: null },
      {
        name: `wren@${peer.host}`,
        emoji: { shortcode: 'wren', image: { remote: 'https://elsewhere.test/w.png' } },
      },
    ])
    const shown = await as(writer).get(`/api/v1/statuses/${status.id}`)
    expect(shown.body).toMatchObject({ favourites_count: 1 })
  })
})

describe('Add and Remove', () => {
  it('an Add pins a post of its actor and a Remove unpins it', async () => {
    const { reader, peer } = await people()
    const note = peer.note()
    await processActivity(peer, peer.create(note))
    await processActivity(peer, peer.pin('Add', note.id))
    await processActivity(peer, peer.pin('Add', note.id))
    const pinned = await as(reader).get(`/api/v1/accounts/${peer.id}/statuses?pinned=true`)
    expect(pinned.body).toMatchObject([{ uri: note.id }])
    await processActivity(peer, peer.pin('Remove', note.id))
    const after = await as(reader).get(`/api/v1/accounts/${peer.id}/statuses?pinned=true`)
    expect(after.body).toEqual([])
  })

  it('an Add pins only posts of its actor, and only in the featured collection', async () => {
    const { reader, peer } = await people()
    const other = await given.peer()
    await followed(reader, other)
    const [mine, theirs] = [peer.note(), other.note()]
    await processActivity(peer, peer.create(mine))
    await processActivity(other, other.create(theirs))
    const elsewhere = peer.activity('Add', mine.id, { target: other.at.featured })
    const activities = [peer.pin('Add', theirs.id), elsewhere]
    const kinds = []
    for (const activity of activities) kinds.push((await processActivity(peer, activity)).kind)
    expect(kinds).toEqual(['rejected', 'ignored'])
  })

  it('stores at most twenty pins of an actor', async () => {
    const { peer } = await people()
    const { db } = context()
    const notes = Array.from({ length: 21 }, () => peer.note())
    for (const note of notes) await processActivity(peer, peer.create(note))
    for (const note of notes) await processActivity(peer, peer.pin('Add', note.id))
    const pins = await db.select().from(statusPins).where(eq(statusPins.accountId, peer.id))
    expect(pins).toHaveLength(20)
  })
})
