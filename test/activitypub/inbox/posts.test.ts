import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { receivedActivities, statusEdits } from '../../../src/db/schema'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { processActivity } from '../../support/fediverse/process-activity'
import { given, type TestAccount } from '../../support/given'
import { readerAndPeer, relation } from '../../support/given-relationships'
import { followed, statusAt } from '../../support/given-remote'
import { storedNotificationsOf } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

async function storedId(uri: string): Promise<number> {
  const row = await statusAt(uri)
  if (row === null) throw new Error(`${uri} is not stored`)
  return row.id
}

const addressOf = ({ username }: TestAccount, { id }: { readonly id: string }) =>
  `https://fieldfare.test/users/${username}/statuses/${id}`

const done = { kind: 'done' }
/** A minute passes. */
function later(): string {
  clock.advance(60_000)
  return clock.now().toISOString()
}

describe('Create', () => {
  it('a Create stores a post of its actor and shows it to followers', async () => {
    const { reader, peer } = await readerAndPeer()
    const note = peer.note({
      content: '<p>A wren <script>x</script>sings.</p>',
      mentions: [fediverse.local(reader)],
    })
    expect(await processActivity(peer, peer.create(note))).toEqual(done)
    const home = await as(reader).get('/api/v1/timelines/home')
    expect(home.body).toMatchObject([
      { uri: note.id, content: '<p>A wren sings.</p>', mentions: [{ id: String(reader.id) }] },
    ])
    expect(await storedNotificationsOf(reader)).toEqual([{ type: 'mention', from: peer.id }])
  })

  it('a Create of another author’s post stores nothing from the embedded copy [T-082]', async () => {
    const { reader, peer } = await readerAndPeer()
    const victim = await given.peer()
    await followed(reader, victim)
    const forged = victim.note({ served: false })
    const neighbour = await given.peer({ host: peer.host })
    const same = neighbour.note({ served: false })
    for (const note of [forged, same]) {
      expect((await processActivity(peer, peer.create(note))).kind).toBe('ignored')
      expect(await statusAt(note.id)).toBeNull()
    }
  })

  it('refuses a Create of a post whose author is on another host than its id', async () => {
    const { peer } = await readerAndPeer()
    const note = peer.note({ document: { id: 'https://victim.test/statuses/1' }, served: false })
    expect((await processActivity(peer, peer.create(note))).kind).toBe('rejected')
    expect(await statusAt('https://victim.test/statuses/1')).toBeNull()
  })

  it('a post gets the narrower visibility of its activity and its object [T-083]', async () => {
    const { reader, peer } = await readerAndPeer()
    const local = fediverse.local(reader)
    const open = peer.note({ mentions: [local] })
    await processActivity(peer, peer.create(open, { to: [local.uri], cc: [] }))
    const hidden = peer.note({ visibility: 'direct', mentions: [local] })
    await processActivity(
      peer,
      peer.create(hidden, { to: ['https://www.w3.org/ns/activitystreams#Public'], cc: [] }),
    )
    expect((await statusAt(open.id))?.visibility).toBe('direct')
    expect((await statusAt(hidden.id))?.visibility).toBe('direct')
  })

  it('refuses a Create of a post that claims to come from the future [T-084]', async () => {
    const { peer } = await readerAndPeer()
    const published = new Date(clock.now().getTime() + 17 * 3_600_000).toISOString()
    const note = peer.note({ document: { published } })
    expect((await processActivity(peer, peer.create(note))).kind).toBe('rejected')
    const soon = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const clamped = peer.note({ document: { published: soon } })
    await processActivity(peer, peer.create(clamped))
    expect((await statusAt(clamped.id))?.createdAt).toEqual(clock.now())
    const ancient = peer.note({ document: { published: '1066-10-14T00:00:00Z' } })
    expect((await processActivity(peer, peer.create(ancient))).kind).toBe('done')
  })

  it('a Create with huge counters breaks no timeline', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const figures = { type: 'Collection', totalItems: Number.MAX_SAFE_INTEGER }
    const oneOf = Array.from({ length: 20 }, (_, n) => ({ type: 'Note', name: `${n}`, replies: figures }))
    await peer.send(peer.create(peer.question({ document: { oneOf, votersCount: Number.MAX_SAFE_INTEGER } })))
    const { body } = await as(alice).get('/api/v1/timelines/home')
    expect(body).toMatchObject([{ poll: { votes_count: 2_000_000_000, voters_count: 100_000_000 } }])
  })

  it('queues a fetch for a Create that only names its object', async () => {
    const { peer } = await readerAndPeer()
    const jobs: Job[] = []
    const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
    const note = peer.note()
    await processActivity(peer, peer.activity('Create', note.id), ctx)
    await processActivity(peer, peer.activity('Create', 'https://victim.test/1'), ctx)
    expect(jobs).toEqual([{ kind: 'refetch-object', uri: note.id }])
  })
})

describe('Update', () => {
  it('an Update changes a post, keeps its earlier text, and notifies rebloggers and newly mentioned accounts', async () => {
    const { reader, peer } = await readerAndPeer()
    const named = await given.account()
    const note = peer.note({ hashtags: ['wren'] })
    await processActivity(peer, peer.create(note))
    const id = await storedId(note.id)
    await as(reader).post(`/api/v1/statuses/${id}/reblog`)
    const local = fediverse.local(named)
    const next = {
      ...note,
      content: '<p>A robin.</p>',
      updated: later(),
      tag: [mention(local), hashtag('robin')],
    }
    expect(await processActivity(peer, peer.update(next))).toEqual(done)
    const shown = await as(reader).get(`/api/v1/statuses/${id}`)
    expect(shown.body).toMatchObject({
      content: '<p>A robin.</p>',
      edited_at: expect.any(String),
      tags: [{ name: 'robin' }],
      mentions: [{ id: String(named.id) }],
    })
    const versions = await context().db.select().from(statusEdits).where(eq(statusEdits.statusId, id))
    expect(versions.map(({ content }) => content)).toEqual(['<p>A wren.</p>'])
    expect(await storedNotificationsOf(named)).toEqual([{ type: 'mention', from: peer.id }])
    expect(await storedNotificationsOf(reader)).toEqual([{ type: 'update', from: peer.id }])
    expect((await as(null).get('/api/v1/timelines/tag/robin')).body).toMatchObject([{ id: String(id) }])
  })

  it('ignores an Update by anybody but the author [T-085]', async () => {
    const { peer } = await readerAndPeer()
    const stranger = await given.peer()
    const neighbour = await given.peer({ host: peer.host })
    const note = peer.note()
    await processActivity(peer, peer.create(note))
    const next = { ...note, content: '<p>Forged.</p>', updated: later() }
    const outcomes = [
      await processActivity(stranger, stranger.update(next)),
      await processActivity(neighbour, neighbour.update(next)),
      await processActivity(neighbour, neighbour.update({ ...next, attributedTo: neighbour.uri })),
    ]
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await statusAt(note.id))?.content).toBe('<p>A wren.</p>')
  })

  it('ignores an Update that is older than the stored version, and one of an unknown post [T-086]', async () => {
    const { peer } = await readerAndPeer()
    const note = peer.note()
    await processActivity(peer, peer.create(note))
    const between = later()
    const newer = { ...note, content: '<p>Newer.</p>', updated: later() }
    await processActivity(peer, peer.update(newer))
    const older = {
      ...note,
      content: '<p>Older.</p>',
      updated: between,
    }
    expect((await processActivity(peer, peer.update(older))).kind).toBe('ignored')
    expect((await processActivity(peer, peer.update(note))).kind).toBe('ignored')
    expect(
      (await processActivity(peer, peer.update(peer.note({ document: { updated: later() } })))).kind,
    ).toBe('ignored')
    expect((await statusAt(note.id))?.content).toBe('<p>Newer.</p>')
  })

  it('an Update of poll results is not an edit, and an Update of poll options resets the votes [T-087]', async () => {
    const { reader, peer } = await readerAndPeer()
    const question = peer.question()
    await processActivity(peer, peer.create(question))
    const id = await storedId(question.id)
    const counted = (names: readonly string[], totals: readonly number[]) =>
      names.map((name, n) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: totals[n] } }))
    const tally = { ...question, oneOf: counted(['Wren', 'Robin'], [3, 1]), votersCount: 4, updated: later() }
    expect(await processActivity(peer, peer.update(tally))).toEqual(done)
    const first = await as(reader).get(`/api/v1/statuses/${id}`)
    expect(first.body).toMatchObject({
      edited_at: null,
      poll: { votes_count: 4, voters_count: 4, options: [{ votes_count: 3 }, { votes_count: 1 }] },
    })
    const again = { ...tally, updated: later() }
    await processActivity(
      peer,
      peer.update({ ...again, oneOf: counted(['Crow', 'Robin'], [0, 0]), votersCount: 0 }),
    )
    const second = await as(reader).get(`/api/v1/statuses/${id}`)
    expect(second.body).toMatchObject({
      edited_at: expect.any(String),
      poll: { votes_count: 0, options: [{ title: 'Crow' }, { title: 'Robin' }] },
    })
  })
})

const mention = ({ uri, handle }: { readonly uri: string; readonly handle: string }) => ({
  type: 'Mention',
  href: uri,
  name: `@${handle}`,
})
const hashtag = (name: string) => ({ type: 'Hashtag', name: `#${name}`, href: `https://tags.test/${name}` })

describe('Delete', () => {
  it('a Delete removes a post of its actor permanently', async () => {
    const { peer } = await readerAndPeer()
    const note = peer.note()
    await processActivity(peer, peer.create(note))
    expect(await processActivity(peer, peer.delete(note))).toEqual(done)
    expect(await statusAt(note.id)).toBeNull()
    expect((await processActivity(peer, peer.create(note))).kind).toBe('ignored')
  })

  it('ignores a Delete of posts by others [T-088]', async () => {
    const { peer } = await readerAndPeer()
    const stranger = await given.peer()
    const neighbour = await given.peer({ host: peer.host })
    const note = peer.note()
    await processActivity(peer, peer.create(note))
    const outcomes = [
      await processActivity(stranger, stranger.delete(note)),
      await processActivity(neighbour, neighbour.delete(note.id)),
    ]
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'rejected'])
    expect(await statusAt(note.id)).not.toBeNull()
    const remembered = eq(receivedActivities.uri, note.id)
    expect(await context().db.select().from(receivedActivities).where(remembered)).toEqual([])
  })

  it('a Delete of an unknown post prevents it from being stored later', async () => {
    const { peer } = await readerAndPeer()
    const note = peer.note()
    await processActivity(peer, peer.delete(note))
    expect((await processActivity(peer, peer.create(note))).kind).toBe('ignored')
    expect(await statusAt(note.id)).toBeNull()
  })

  it('a Delete cannot remove local posts', async () => {
    const { reader, peer } = await readerAndPeer()
    const own = await given.status({ by: reader })
    expect((await processActivity(peer, peer.delete(addressOf(reader, own)))).kind).toBe('rejected')
    expect((await as(reader).get(`/api/v1/statuses/${own.id}`)).status).toBe(200)
  })
})

describe('a vote', () => {
  it('a vote counts once for each choice and voter, and is not stored as a post [T-089]', async () => {
    const asker = await given.account()
    const [one, two] = [await given.peer(), await given.peer()]
    const poll = { options: ['Wren', 'Robin'], expiresInSeconds: 3600, multiple: true, hideTotals: false }
    const status = await given.status({ by: asker, poll })
    const question = { id: addressOf(asker, status), author: fediverse.local(asker).uri }
    const votes = [one.vote(question, 'Wren'), one.vote(question, 'Robin'), one.vote(question, 'Wren')]
    const kinds = []
    for (const vote of votes) kinds.push(await attempt(() => processActivity(one, vote)))
    kinds.push(await attempt(() => processActivity(two, two.vote(question, 'Robin'))))
    kinds.push(await attempt(() => processActivity(two, two.vote(question, 'Crow'))))
    expect(kinds).toEqual(['done', 'done', 'Conflict', 'done', 'rejected'])
    const shown = await as(asker).get(`/api/v1/statuses/${status.id}`)
    expect(shown.body).toMatchObject({
      replies_count: 0,
      poll: { votes_count: 3, voters_count: 2, options: [{ votes_count: 1 }, { votes_count: 2 }] },
    })
  })

  it('a single-choice poll counts the first vote only, and none after it ends', async () => {
    const asker = await given.account()
    const peer = await given.peer()
    const late = await given.peer()
    const poll = { options: ['Wren', 'Robin'], expiresInSeconds: 3600, multiple: false, hideTotals: false }
    const status = await given.status({ by: asker, poll })
    const question = { id: addressOf(asker, status), author: fediverse.local(asker).uri }
    await processActivity(peer, peer.vote(question, 'Wren'))
    expect(await attempt(() => processActivity(peer, peer.vote(question, 'Robin')))).toBe('Conflict')
    clock.advance(3_700_000)
    expect(await attempt(() => processActivity(late, late.vote(question, 'Robin')))).toBe('rejected')
    const shown = await as(asker).get(`/api/v1/statuses/${status.id}`)
    expect(shown.body).toMatchObject({ poll: { votes_count: 1, voters_count: 1 } })
  })

  it('ignores a vote in a poll that its actor may not see', async () => {
    const asker = await given.account()
    const peer = await given.peer()
    const poll = { options: ['Wren', 'Robin'], expiresInSeconds: 3600, multiple: false, hideTotals: false }
    const status = await given.status({ by: asker, poll, visibility: 'private' })
    const question = { id: addressOf(asker, status), author: fediverse.local(asker).uri }
    expect((await processActivity(peer, peer.vote(question, 'Wren'))).kind).toBe('ignored')
  })
})

/** Outcome of an activity; a copy that came first makes a `Conflict`, which the inbox counts as ignored. */
async function attempt(interaction: () => Promise<{ readonly kind: string }>): Promise<string> {
  try {
    return (await interaction()).kind
  } catch (failure) {
    return failure instanceof Error ? failure.name : String(failure)
  }
}
