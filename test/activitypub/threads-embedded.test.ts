import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { statuses } from '../../src/db/schema'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { collection } from '../support/fediverse/documents'
import { processActivity } from '../support/fediverse/process-activity'
import { given } from '../support/given'
import { followed } from '../support/given-remote'
import { context } from '../support/test-app'
import { wireFrom } from '../support/wire-from'

const { network } = fediverse
const mo = 'https://gotosocial.test/users/mo'
const first = `${mo}/statuses/01JBF00000000000000000001`
const second = `${mo}/statuses/01JBF00000000000000000002`

async function idOf(uri: string) {
  const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, uri))
  return row?.id ?? null
}

async function people() {
  const [reader, peer] = [await given.account(), await given.peer({ software: 'gotosocial' })]
  await followed(reader, peer)
  return { reader, peer, ...fakeQueue() }
}

describe('a thread of GoToSocial', () => {
  it('adds the author’s own replies, which the GoToSocial collection leaves out', async () => {
    const { reader, peer, ctx } = await people()
    const wire = (name: string) => wireFrom(name, { from: peer, to: reader })
    const here = (address: string) => address.replace(mo, peer.uri)
    const note = wire('gotosocial-0.20-note-policy')
    network.serve(here(first), note)
    const bare = wire('gotosocial-0.20-replies')
    for (const url of [`${first}/replies`, String(bare['id']), String(bare['first'])])
      network.serve(here(url), url === bare['first'] ? { ...bare, id: url } : bare)
    const page = wire('gotosocial-0.20-replies-page')
    network.serve(String(page['id']), page)
    network.serve(String(page['next']), { ...page, id: page['next'], next: undefined, orderedItems: [] })
    const answer = peer.note({ inReplyTo: here(first), document: { id: here(second) } })
    network.serve(here(second), answer)

    await processActivity(peer, peer.create(note), ctx)
    const id = await idOf(here(first))
    expect(await ctx.backfill.fetchReplies(id ?? 0, 1)).toEqual({ stored: 1, rest: [] })
    expect(await idOf(here(second))).not.toBeNull()
  })
})

describe('a collection of answers inside a post', () => {
  it('reads an embedded replies collection from its first page, without fetching the collection', async () => {
    const { peer, ctx, work } = await people()
    const [one, two] = [peer.note(), peer.note()]
    const note = peer.note()
    for (const answer of [one, two]) network.serve(answer.id, { ...answer, inReplyTo: note.id })
    const list = `${note.id}/replies`
    const next = `${list}?page=2`
    const page = { type: 'CollectionPage', items: [one.id], partOf: list, next }
    network.serve(note.id, { ...note, replies: { id: list, type: 'Collection', first: page } })
    network.serve(next, { ...collection(next, [two.id], 'Collection'), type: 'CollectionPage' })
    await processActivity(peer, peer.create(note), ctx)
    const mark = network.mark()

    await ctx.jobs.send({ kind: 'fetch-replies', statusId: (await idOf(note.id)) ?? 0, levels: 1 })
    await work()
    expect(await idOf(one.id)).not.toBeNull()
    expect(await idOf(two.id)).not.toBeNull()
    expect(network.since(mark).map(({ url }) => url)).not.toContain(list)
  })

  it('follows no page on another server, and does not trust posts of others', async () => {
    const { peer, ctx } = await people()
    const far = await given.peer()
    const note = peer.note()
    const forged = far.note({ served: false, inReplyTo: note.id })
    network.missing(forged.id)
    const away = `${far.at.origin}/replies`
    network.serve(away, collection(away, [far.note({ inReplyTo: note.id }).id]))
    const page = { type: 'CollectionPage', items: [forged], next: away }
    network.serve(note.id, { ...note, replies: { type: 'Collection', first: page } })
    await processActivity(peer, peer.create(note), ctx)
    const mark = network.mark()

    expect(await ctx.backfill.fetchReplies((await idOf(note.id)) ?? 0, 1)).toEqual({
      stored: 0,
      rest: [],
    })
    expect(network.since(mark).map(({ url }) => url)).not.toContain(away)
    expect(await idOf(forged.id)).toBeNull()
  })

  it('falls back to the embedded collection when the post cannot be fetched', async () => {
    const { peer, ctx } = await people()
    const note = peer.note()
    const answer = peer.note({ inReplyTo: note.id })
    network.serve(`${note.id}/replies`, collection(`${note.id}/replies`, [answer.id]))
    await processActivity(peer, peer.create(note), ctx)
    network.fail(note.id, { status: 404, times: 1 })

    expect(await ctx.backfill.fetchReplies((await idOf(note.id)) ?? 0, 1)).toEqual({
      stored: 1,
      rest: [],
    })
  })

  it('costs at most thirty requests, however many pages it has', async () => {
    const { peer, ctx } = await people()
    const note = peer.note()
    const list = `${note.id}/replies`
    network.serveHost(peer.host, ({ url }) => {
      const number = Number(new URL(url).searchParams.get('page') ?? 0)
      const document = {
        ...collection(url, []),
        type: 'OrderedCollectionPage',
        next: `${list}?page=${number + 1}`,
      }
      return new Response(JSON.stringify(document), {
        headers: { 'content-type': 'application/activity+json' },
      })
    })
    const page = { type: 'CollectionPage', items: [], next: `${list}?page=1` }
    network.serve(note.id, { ...note, replies: { id: list, type: 'Collection', first: page } })
    await processActivity(peer, peer.create(note), ctx)
    const mark = network.mark()

    await ctx.backfill.fetchReplies((await idOf(note.id)) ?? 0, 1)
    expect(network.since(mark).length).toBeLessThanOrEqual(10)
  })
})
