import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { statuses } from '../../src/db/schema'
import type { FetchedReplies } from '../../src/ports/federation'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { collection } from '../support/fediverse/documents'
import { processActivity } from '../support/fediverse/process-activity'
import { given } from '../support/given'
import { followed, statusAt } from '../support/given-remote'
import { context, settleLateWork } from '../support/test-app'
import { wireFrom } from '../support/wire-from'

/** Threads of other servers, completed by their own collections (FEP-7888). */

const { network } = fediverse

/** A status of a peer whom somebody here follows, and the address of its thread. */
async function scene(more: Record<string, unknown> = {}) {
  const [reader, peer] = [await given.account(), await given.peer()]
  await followed(reader, peer)
  const thread = peer.freshId('contexts')
  const root = peer.note({ document: { context: thread, ...more } })
  const queue = fakeQueue()
  await processActivity(peer, peer.create(root), queue.ctx)
  const id = (await statusAt(root.id))?.id ?? 0
  return { reader, peer, thread, root, id, ...queue }
}

/** Fetches the thread below a status to the end, an invocation after another. Returns how many were stored. */
async function complete(id: number): Promise<number> {
  let [stored, rest]: [number, readonly string[] | undefined] = [0, undefined]
  for (let runs = 0; runs < 20 && rest?.length !== 0; runs += 1) {
    const run: FetchedReplies = await fakeQueue().ctx.backfill.fetchReplies(id, 1, rest)
    stored += run.stored
    rest = run.rest
  }
  return stored
}

const listed = (id: string, items: readonly unknown[], more: object = {}) => ({
  ...collection(id, items, 'Collection'),
  ...more,
})

describe('the collection of a thread', () => {
  it('the thread collection of Mastodon 4.5 adds posts that no replies collection lists', async () => {
    const { reader, peer, root, id } = await scene()
    const far = await fediverse.actor()
    const below = peer.note({ inReplyTo: root.id })
    const deeper = far.note({ inReplyTo: below.id })
    const thread = `${peer.at.origin}/contexts/109-1`
    const renamed = {
      'https://mastodon.test/contexts/109-113400000000000001': thread,
      'https://mastodon.test/users/rosa/statuses/113400000000000001': root.id,
      'https://mastodon.test/users/rosa/statuses/113400000000000002': below.id,
      'https://hollo.test/@lin/0192f0aa-0000-7000-8000-000000000002': deeper.id,
    }
    const rosa = { from: peer, to: reader, actor: 'https://mastodon.test/users/rosa', renamed }
    const page = wireFrom('mastodon-4.5-context-page', rosa)
    network.serve(thread, wireFrom('mastodon-4.5-context', rosa))
    network.serve(String(page['id']), page)
    network.serve(root.id, { ...root, context: thread })

    expect(await complete(id)).toBe(2)
    const stored = await statusAt(below.id)
    expect(stored).toMatchObject({ inReplyToId: id, conversationId: id })
    expect(await statusAt(deeper.id)).toMatchObject({ inReplyToId: stored?.id, conversationId: id })
  })

  it('stores the thread address with the first status, and local replies name it', async () => {
    const { reader, thread, root, id, peer, ctx } = await scene()
    const below = peer.note({ inReplyTo: root.id, document: { context: thread } })
    await processActivity(peer, peer.create(below), ctx)
    expect(await statusAt(root.id)).toMatchObject({ contextUri: thread })
    expect(await statusAt(below.id)).toMatchObject({ contextUri: null })
    const sent = { status: 'hello', in_reply_to_id: String(id) }
    await as(reader).post('/api/v1/statuses', sent)
    const [own] = await context().db.select().from(statuses).where(eq(statuses.accountId, reader.id))
    const path = `/users/${reader.username}/statuses/${own?.id}`
    expect(JSON.parse((await peer.get(path)).text)).toMatchObject({ context: thread })
  })

  it('fetches the thread collection for a reader of the thread, also without a replies collection', async () => {
    const { reader, id, ctx, jobs } = await scene({ replies: undefined })
    await settleLateWork()
    jobs.splice(0)
    await as(reader).get(`/api/v1/statuses/${id}/context`, { overrides: { jobs: ctx.jobs } })
    expect(jobs).toEqual([{ kind: 'fetch-replies', statusId: id, levels: 2 }])
  })

  it('ignores items that do not belong to the thread', async () => {
    const { peer, thread, id, ctx, reader } = await scene()
    const far = await given.peer()
    const unrelated = far.note()
    await processActivity(far, far.create(far.note({ mentions: [fediverse.local(reader)] })), ctx)
    const opening = far.note({ document: { context: thread } })
    const elsewhere = far.note({ inReplyTo: unrelated.id })
    const hidden = far.note({ visibility: 'private', document: { context: thread } })
    const own = `https://fieldfare.test/users/${reader.username}/statuses/1`
    const items = [unrelated, opening, elsewhere, hidden].map((note) => note.id)
    network.serve(thread, listed(thread, [own, ...items, 7, null, { type: 'Note' }, peer.uri]))

    expect(await complete(id)).toBe(0)
    for (const uri of items) expect(await statusAt(uri)).toBeNull()
  })

  it('accepts items that name the thread, also when a status in between is unknown', async () => {
    const { thread, id } = await scene()
    const far = await fediverse.actor()
    const lost = far.note({ served: false })
    network.missing(lost.id)
    const below = far.note({ inReplyTo: lost.id, document: { context: thread } })
    network.serve(thread, listed(thread, [below.id]))
    expect(await complete(id)).toBe(1)
    expect(await statusAt(below.id)).toMatchObject({ inReplyToUri: lost.id })
  })

  it('does not trust the collection about statuses of other servers, and follows no link to another server', async () => {
    const { thread, root, id, ctx } = await scene()
    const far = await given.peer()
    const forged = far.note({ inReplyTo: root.id, served: false })
    network.missing(forged.id)
    const away = `${far.at.origin}/contexts/1`
    network.serve(away, listed(away, [far.note({ inReplyTo: root.id }).id]))
    network.serve(
      thread,
      listed(thread, [], { first: { type: 'CollectionPage', items: [forged], next: away } }),
    )
    const mark = network.mark()
    expect(await ctx.backfill.fetchReplies(id, 1)).toEqual({ stored: 0, rest: [] })
    expect(await statusAt(forged.id)).toBeNull()
    expect(network.since(mark).map(({ url }) => url)).not.toContain(away)
  })

  it.each([
    ['a status', (thread: string) => ({ id: thread, type: 'Note', items: [thread] })],
    ['a list of another address', () => listed('https://elsewhere.test/other', [])],
    ['its own first page', (thread: string) => listed(thread, [], { first: thread, next: thread })],
    ['without items', (thread: string) => ({ id: thread, type: 'Collection', first: 7, items: 'none' })],
  ])('a collection that is %s stops the fetch', async (_what, document) => {
    const { thread, id, ctx } = await scene()
    network.serve(thread, document(thread))
    const mark = network.mark()
    expect(await ctx.backfill.fetchReplies(id, 1)).toEqual({ stored: 0, rest: [] })
    expect(network.since(mark).length).toBeLessThanOrEqual(6)
  })

  it('an endless collection costs four pages and thirty requests in all', async () => {
    const { peer, thread, root, id, ctx } = await scene()
    const far = await fediverse.actor()
    network.serveHost(peer.host, ({ url }) => {
      const number = Number(new URL(url).searchParams.get('page') ?? 0)
      const next = `${thread}?page=${number + 1}`
      const items = Array.from({ length: 300 }, () => far.freshId('statuses'))
      const document = url === root.id ? root : { ...listed(url, items), type: 'CollectionPage', next }
      return new Response(JSON.stringify(document), {
        headers: { 'content-type': 'application/activity+json' },
      })
    })
    network.serveHost(far.host, () => new Response('', { status: 404 }))
    const mark = network.mark()
    await ctx.backfill.fetchReplies(id, 1)
    const asked = network.since(mark).map(({ url }) => url)
    expect(asked.length).toBeLessThanOrEqual(30)
    expect(asked.filter((url) => url.startsWith(thread)).length).toBeLessThanOrEqual(5)
  })

  it('fetches the collection once for all statuses of the thread within a period', async () => {
    const { thread, id, ctx } = await scene()
    network.serve(thread, listed(thread, []))
    for (let visit = 0; visit < 3; visit += 1) await ctx.backfill.fetchReplies(id, 1)
    expect(network.requests(thread)).toHaveLength(1)
  })

  it('links the collection to the thread in a later run as well', async () => {
    const { root, id } = await scene()
    const far = await given.peer()
    const [below, elsewhere] = [far.note({ inReplyTo: root.id }), far.note({ inReplyTo: far.note().id })]
    for (const uri of [below.id, elsewhere.id]) await fakeQueue().ctx.backfill.fetchReplies(id, 1, [uri])
    expect(await statusAt(below.id)).toMatchObject({ inReplyToId: id })
    expect(await statusAt(elsewhere.id)).toBeNull()
  })
})
