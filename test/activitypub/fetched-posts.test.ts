import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { homeEntries, statuses } from '../../src/db/schema'
import { Unavailable } from '../../src/errors'
import { as } from '../support/as'
import { countStatuses } from '../support/count-statuses'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { collection } from '../support/fediverse/documents'
import { processActivity } from '../support/fediverse/process-activity'
import { given } from '../support/given'
import { readerAndPeer } from '../support/given-relationships'
import { followed, statusAt } from '../support/given-remote'
import { consume } from '../support/run-job'
import { clock, context, settleLateWork } from '../support/test-app'

const { network } = fediverse

const idOf = async (uri: string) => (await statusAt(uri))?.id ?? null

describe('a post looked up by address', () => {
  it('fetches a post from its server by its id, with its unknown author, and only once', async () => {
    const { ctx } = fakeQueue()
    const peer = await fediverse.actor()
    const note = peer.note()
    const id = await ctx.resolver.statusByUri(note.id)
    expect(id).toBe(await idOf(note.id))
    const mark = network.mark()
    expect(await ctx.resolver.statusByUri(note.id)).toBe(id)
    expect(network.since(mark)).toEqual([])
    const reader = await given.account()
    const shown = await as(reader).get(`/api/v1/statuses/${id}`)
    expect(shown.body).toMatchObject({ uri: note.id, account: { acct: peer.handle } })
  })

  it('finds a post by the address of its page, and fetches the id again', async () => {
    const { ctx } = fakeQueue()
    const peer = await given.peer()
    const note = peer.note()
    const page = String(note['url'])
    const link = `<link rel="alternate" type="application/activity+json" href="${note.id}"/>`
    network.respond(
      page,
      () => new Response(`<html>${link}</html>`, { headers: { 'content-type': 'text/html' } }),
    )
    expect(await ctx.resolver.statusByUri(page)).toBe(await idOf(note.id))
    expect(await idOf(note.id)).not.toBeNull()
  })

  it('finds a local post without a request', async () => {
    const { ctx } = fakeQueue()
    const writer = await given.account()
    const { id } = await given.status({ by: writer })
    const mark = network.mark()
    const origin = 'https://fieldfare.test'
    const forms = [`/users/${writer.username}/statuses/${id}`, `/@${writer.username}/${id}`]
    for (const form of forms) expect(await ctx.resolver.statusByUri(origin + form)).toBe(Number(id))
    expect(await ctx.resolver.statusByUri(`${origin}/users/nobody/statuses/${id}`)).toBeNull()
    expect(network.since(mark)).toEqual([])
  })

  it('stores a non-public post only on behalf of a local account', async () => {
    const { ctx } = fakeQueue()
    const [peer, reader] = [await given.peer(), await given.account()]
    const direct = peer.note({ visibility: 'direct' })
    const hidden = peer.note({ visibility: 'private' })
    const ours = peer.note({ visibility: 'private', mentions: [fediverse.local(reader)] })
    expect(await ctx.resolver.statusByUri(direct.id)).toBeNull()
    expect(await ctx.resolver.statusByUri(hidden.id)).toBeNull()
    expect(await ctx.resolver.statusByUri(ours.id)).toBe(await idOf(ours.id))
    expect((await statusAt(ours.id))?.visibility).toBe('private')
  })

  it('does not trust a document about another address than its own', async () => {
    const { ctx } = fakeQueue()
    const [peer, victim] = [await given.peer(), await given.peer()]
    const forged = victim.note({ served: false })
    network.missing(forged.id)
    const address = peer.freshId('statuses')
    network.serve(address, forged)
    expect(await ctx.resolver.statusByUri(address)).toBeNull()
    expect(await statusAt(forged.id)).toBeNull()
  })
})

describe('a thread', () => {
  it('fetches parents of a thread with one job each, and joins the thread at its root [T-044]', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const other = await fediverse.actor()
    const root = other.note()
    const middle = other.note({ inReplyTo: root.id })
    const leaf = peer.note({ inReplyTo: middle.id })
    await processActivity(peer, peer.create(leaf), ctx)
    expect(await work()).toEqual(['done', 'done'])
    const rows = {
      root: await statusAt(root.id),
      middle: await statusAt(middle.id),
      leaf: await statusAt(leaf.id),
    }
    expect(rows.middle).toMatchObject({ inReplyToId: rows.root?.id, inReplyToUri: null, repliesCount: 1 })
    expect(rows.leaf).toMatchObject({ inReplyToId: rows.middle?.id, inReplyToUri: null })
    const conversations = Object.values(rows).map((row) => row?.conversationId)
    expect(new Set(conversations).size).toBe(1)
  })

  it('fetches at most twenty parents of an endless thread', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const far = await fediverse.actor()
    const base = far.freshId('endless')
    network.serveHost(far.host, ({ url }) => {
      const number = Number(url.split('-')[1] ?? 0)
      if (!url.startsWith(base)) return new Response('', { status: 404 })
      const note = far.note({ served: false, inReplyTo: `${base}-${number + 1}`, document: { id: url } })
      return new Response(JSON.stringify(note), { headers: { 'content-type': 'application/activity+json' } })
    })
    await processActivity(peer, peer.create(peer.note({ inReplyTo: `${base}-1` })), ctx)
    const steps = await work()
    expect(steps).toHaveLength(20)
    expect(network.requests(base)).toHaveLength(20)
    expect(await idOf(`${base}-20`)).not.toBeNull()
  })

  it('stops at a thread that refers back to itself', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const far = await fediverse.actor()
    const two = far.freshId('circle')
    const one = far.note({ inReplyTo: two })
    far.network.serve(two, far.note({ served: false, inReplyTo: one.id, document: { id: two } }))
    await processActivity(peer, peer.create(peer.note({ inReplyTo: one.id })), ctx)
    expect((await work()).length).toBeLessThan(5)
    const reader = await given.account()
    const thread = await as(reader).get(`/api/v1/statuses/${await idOf(one.id)}/context`)
    expect(thread.status).toBe(200)
  })

  it('keeps the address of a parent that cannot be fetched', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const parent = `https://${peer.host}/never`
    network.missing(parent)
    const note = peer.note({ inReplyTo: parent })
    await processActivity(peer, peer.create(note), ctx)
    expect(await work()).toEqual(['done'])
    expect(await statusAt(note.id)).toMatchObject({ inReplyToId: null, inReplyToUri: parent })
  })

  it('fetches replies from the list for its own server, and from their own servers otherwise [T-045]', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const [far, forger] = [await fediverse.actor(), await fediverse.actor()]
    const note = peer.note()
    const own = peer.note({ inReplyTo: note.id, served: false })
    const others = far.note({ inReplyTo: note.id })
    const forged = forger.note({ inReplyTo: note.id, content: '<p>Forged.</p>', served: false })
    network.missing(forged.id)
    const unrelated = peer.note({ served: false })
    const list = `${note.id}/replies`
    const next = `${list}?page=2`
    network.serve(next, page(next, [others.id, forged, unrelated]))
    network.serve(list, { ...collection(list, []), first: { ...page(`${list}?page=1`, [own]), next } })
    await processActivity(peer, peer.create(note), ctx)
    const id = await idOf(note.id)
    await ctx.jobs.send({ kind: 'fetch-replies', statusId: id ?? 0, levels: 1 })
    await work()
    const kept = [own, others, forged, unrelated].map(
      async ({ id: uri }) => (await statusAt(uri))?.inReplyToId ?? null,
    )
    expect(await Promise.all(kept)).toEqual([id, id, null, null])
    expect(await statusAt(forged.id)).toBeNull()
  })

  it('fetches many replies in part, with at most thirty requests', async () => {
    const { ctx } = fakeQueue()
    const { peer } = await readerAndPeer()
    const note = peer.note()
    const list = `${note.id}/replies`
    const pageAt = (number: number) => {
      const url = `${list}?page=${number}`
      const items = Array.from({ length: 8 }, () => peer.note({ inReplyTo: note.id }).id)
      network.respond(url, () => {
        const document = { ...page(url, items), next: `${list}?page=${number + 1}` }
        pageAt(number + 1)
        return new Response(JSON.stringify(document), {
          headers: { 'content-type': 'application/activity+json' },
        })
      })
    }
    pageAt(1)
    network.serve(list, { ...collection(list, []), first: `${list}?page=1` })
    await processActivity(peer, peer.create(note), ctx)
    const mark = network.mark()
    await ctx.backfill.fetchReplies((await idOf(note.id)) ?? 0, 1)
    expect(network.since(mark).length).toBeLessThanOrEqual(30)
    expect(network.since(mark).filter(({ url }) => url.startsWith(list))).toHaveLength(6)
  })

  it('fetches replies to replies up to a fixed depth', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const note = peer.note()
    const listOf = (uri: string, items: readonly unknown[]) =>
      network.serve(`${uri}/replies`, {
        ...collection(`${uri}/replies`, []),
        first: page(`${uri}/first`, items),
      })
    const chain = [note]
    for (let depth = 0; depth < 3; depth += 1) {
      const above = chain.at(-1)
      const below = peer.note({ inReplyTo: above?.id ?? null, served: false })
      listOf(above?.id ?? '', [below])
      chain.push(below)
    }
    await processActivity(peer, peer.create(note), ctx)
    await ctx.jobs.send({ kind: 'fetch-replies', statusId: (await idOf(note.id)) ?? 0, levels: 2 })
    await work()
    const known = await Promise.all(chain.map(async ({ id }) => (await statusAt(id)) !== null))
    expect(known).toEqual([true, true, true, false])
  })
})

function page(id: string, items: readonly unknown[]) {
  return { ...collection(id, items), type: 'OrderedCollectionPage' }
}

describe('a reader of a thread', () => {
  it('reading a thread queues a fetch of missing posts, but not at every view and not for anonymous visitors', async () => {
    const { ctx, jobs } = fakeQueue()
    const { reader, peer } = await readerAndPeer()
    const unknown = `https://${peer.host}/unknown`
    const top = peer.note({ inReplyTo: unknown })
    const note = peer.note({ inReplyTo: top.id })
    for (const one of [top, note]) await processActivity(peer, peer.create(one), ctx)
    await settleLateWork()
    jobs.splice(0)
    const id = (await idOf(note.id)) ?? 0
    const path = `/api/v1/statuses/${id}/context`
    await as(null).get(path, { overrides: { jobs: ctx.jobs } })
    expect(jobs).toEqual([])
    for (let look = 0; look < 2; look += 1) await as(reader).get(path, { overrides: { jobs: ctx.jobs } })
    expect(jobs).toEqual([
      { kind: 'fetch-replies', statusId: id, levels: 2 },
      { kind: 'fetch-ancestors', statusId: await idOf(top.id), levels: 20 },
    ])
    const ours = await given.status({ by: reader })
    await as(reader).get(`/api/v1/statuses/${ours.id}/context`, { overrides: { jobs: ctx.jobs } })
    expect(jobs).toHaveLength(2)
  })
})

describe('the past of a newly followed account', () => {
  it('fetches the latest and pinned posts of an account in order, into profile and feed', async () => {
    const { ctx, work } = fakeQueue()
    const [reader, peer] = [await given.account(), await given.peer()]
    const stranger = await given.peer()
    const old = Array.from({ length: 3 }, (_, n) => {
      const published = new Date(clock.now().getTime() - (n + 1) * 86_400_000).toISOString()
      return peer.note({ document: { published } })
    })
    const [latest, , oldest] = old
    const foreign = stranger.note({ served: false })
    const share = peer.announce(stranger.note().id)
    const secret = peer.note({ visibility: 'private', served: false })
    const items = [share, ...[...old, secret].map((note) => peer.create(note)), peer.create(foreign)]
    peer.collection(peer.at.outbox, items)
    peer.collection(peer.at.featured, [oldest])
    await followed(reader, peer)
    await ctx.jobs.send({ kind: 'backfill-account', accountId: peer.id })
    await work()
    const profile = await as(reader).get(`/api/v1/accounts/${peer.id}/statuses`)
    expect(profile.body).toMatchObject(old.map(({ id }) => ({ uri: id })))
    const pinned = await as(reader).get(`/api/v1/accounts/${peer.id}/statuses?pinned=true`)
    expect(pinned.body).toMatchObject([{ uri: oldest?.id }])
    expect((await as(reader).get('/api/v1/timelines/home')).body).toMatchObject([{ uri: latest?.id }, {}, {}])
    expect((await as(reader).get('/api/v1/notifications')).body).toEqual([])
    expect(await statusAt(foreign.id)).toBeNull()
    // Cron counts those of the last hours.
    await countStatuses()
    expect((await as(reader).get(`/api/v1/accounts/${peer.id}`)).body).toMatchObject({
      statuses_count: items.length,
    })
  })

  it('fetches past posts when a local account follows, and again only after a day', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    peer.collection(peer.at.outbox, [peer.create(peer.note())])
    await followed(reader, peer)
    const follow = { kind: 'follow.created', accountId: reader.id, targetAccountId: peer.id } as const
    // Runs each in an invocation of its own, as on the platform.
    const happen = async () => {
      const { jobs, ctx } = fakeQueue()
      ctx.outbox.drain([{ id: ctx.ids.next(), event: follow }])
      await settleLateWork()
      return jobs.splice(0).filter(({ kind }) => kind === 'backfill-account')
    }
    expect(await happen()).toEqual([{ kind: 'backfill-account', accountId: peer.id }])
    await fakeQueue().ctx.backfill.backfillAccount(peer.id)
    const mark = network.mark()
    expect(await happen()).toEqual([])
    await fakeQueue().ctx.backfill.backfillAccount(peer.id)
    expect(network.since(mark)).toEqual([])
    clock.advance(86_400_000)
    expect(await happen()).toHaveLength(1)
  })

  it('fetches only part of hundreds of past posts', async () => {
    const { ctx, work } = fakeQueue()
    const peer = await given.peer()
    const notes = Array.from({ length: 50 }, () => peer.create(peer.note()))
    peer.collection(peer.at.outbox, notes)
    await ctx.jobs.send({ kind: 'backfill-account', accountId: peer.id })
    // A few posts in each invocation.
    expect((await work()).length).toBeGreaterThan(4)
    const kept = await context().db.select().from(statuses).where(eq(statuses.accountId, peer.id))
    expect(kept).toHaveLength(20)
  })
})

describe('a reblog by a remote account', () => {
  it('fetches an unknown reblogged post by a job, and inserts the reblog into the feeds of followers', async () => {
    const { ctx, work } = fakeQueue()
    const { reader, peer } = await readerAndPeer()
    const author = await fediverse.actor()
    const note = author.note({ content: '<p>Genuine.</p>' })
    const share = peer.announce({ ...note, content: '<p>Forged.</p>' })
    await processActivity(peer, share, ctx)
    expect(await work()).toEqual(['done'])
    const home = await as(reader).get('/api/v1/timelines/home')
    expect(home.body).toMatchObject([{ uri: share.id, reblog: { uri: note.id, content: '<p>Genuine.</p>' } }])
  })

  it('drops a reblog of a post that is not public, not found, or undone in the meantime [T-046]', async () => {
    const { ctx, work } = fakeQueue()
    const { reader, peer } = await readerAndPeer()
    const author = await fediverse.actor()
    const never = author.note({ served: false })
    network.missing(never.id)
    const shares = [author.note({ visibility: 'private' }), never, author.note()].map((note) =>
      peer.announce(note.id),
    )
    for (const share of shares) await processActivity(peer, share, ctx)
    await processActivity(peer, peer.undo(shares[2] ?? {}), ctx)
    expect(await work()).toEqual(['ignored', 'ignored', 'ignored'])
    for (const share of shares) expect(await statusAt(share.id)).toBeNull()
    const feed = await context().db.select().from(homeEntries).where(eq(homeEntries.accountId, reader.id))
    expect(feed).toEqual([])
  })
})

describe('a reblogged post', () => {
  it('fetches a reblogged post from its own server: changed, deleted, or unchanged [T-047]', async () => {
    const { ctx } = fakeQueue()
    const { peer } = await readerAndPeer()
    const [changed, gone, hidden] = [peer.note(), peer.note(), peer.note()]
    for (const note of [changed, gone, hidden]) await processActivity(peer, peer.create(note), ctx)
    clock.advance(60_000)
    network.serve(changed.id, { ...changed, content: '<p>New.</p>', updated: clock.now().toISOString() })
    network.gone(gone.id)
    network.missing(hidden.id)
    for (const { id } of [changed, gone, hidden]) await ctx.resolver.refetch(id)
    expect((await statusAt(changed.id))?.content).toBe('<p>New.</p>')
    expect(await statusAt(gone.id)).toBeNull()
    expect(await statusAt(hidden.id)).not.toBeNull()
  })

  it('retries the fetch of a reblogged post when its server does not answer', async () => {
    const { ctx } = fakeQueue()
    const { peer } = await readerAndPeer()
    const note = peer.note()
    await processActivity(peer, peer.create(note), ctx)
    network.fail(note.id, { status: 503, times: 2 })
    await expect(ctx.resolver.refetch(note.id)).rejects.toThrow(Unavailable)
    expect(await statusAt(note.id)).not.toBeNull()
  })

  it('stores a reblogged post of a followed account', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const note = peer.note()
    await processActivity(peer, peer.activity('Create', note.id), ctx)
    expect(await work()).toEqual(['done'])
    expect(await statusAt(note.id)).not.toBeNull()
  })
})

describe('jobs that ask other servers', () => {
  it('fetch jobs continue in a further run after forty requests', async () => {
    const { ctx, jobs } = fakeQueue()
    const kinds = ['backfill-account', 'backfill-account', 'send-account-email'] as const
    const acknowledged: number[] = []
    const ran: string[] = []
    const asking = { ...ctx, http: { ...ctx.http, sent: () => 30 * ran.length } }
    const messages = kinds.map((kind, index) => ({
      body:
        kind === 'send-account-email'
          ? { kind, accountId: 1, purpose: 'confirm' }
          : { kind, accountId: index },
      ack: () => void acknowledged.push(index),
      retry: () => undefined,
    }))
    await consume(asking, messages, async (_, job) => {
      ran.push(job.kind)
      return { kind: 'done' }
    })
    expect(ran).toEqual(['backfill-account', 'send-account-email'])
    expect(acknowledged).toEqual([0, 1, 2])
    expect(jobs).toEqual([{ kind: 'backfill-account', accountId: 1 }])
  })

  it('the job finds replies that arrived while their parent was stored', async () => {
    const { ctx, work } = fakeQueue()
    const { peer } = await readerAndPeer()
    const parent = peer.note()
    const child = peer.note({ inReplyTo: parent.id })
    await processActivity(peer, peer.create(child), ctx)
    await processActivity(peer, peer.create(parent), ctx)
    await context()
      .db.update(statuses)
      .set({ inReplyToId: null, inReplyToUri: parent.id })
      .where(sql`uri = ${child.id}`)
    expect(await work()).toEqual(['done'])
    expect(await statusAt(child.id)).toMatchObject({ inReplyToId: await idOf(parent.id), inReplyToUri: null })
  })
})
