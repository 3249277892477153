import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts, statuses } from '../../../src/db/schema'
import { as } from '../../support/as'
import { noteOf } from '../../support/documents'
import { fetchDocument } from '../../support/fetch-document'
import { given, type TestAccount } from '../../support/given'
import { knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const Page = z.looseObject({
  type: z.literal('CollectionPage'),
  partOf: z.string(),
  items: z.array(z.string()),
  next: z.string().optional(),
})
const Thread = z.looseObject({ type: z.literal('Collection'), first: Page })

const uriOf = ({ username }: TestAccount, id: number | string) =>
  `https://fieldfare.test/users/${username}/statuses/${id}`
const threadOf = (id: number | string) => `https://fieldfare.test/contexts/${id}`

/** A stored reply in the thread of `root`. */
async function reply(by: { readonly id: number }, root: number, more: object = {}) {
  return storedStatus({ accountId: by.id, conversationId: root, inReplyToId: root, ...more })
}

describe('the thread of a status', () => {
  it('serves the thread as a collection of its statuses on all servers, oldest first, in one small round trip', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.remoteAccount()]
    const root = await given.status({ by: alice })
    const below = await given.status({ by: bob, inReplyTo: root })
    const remote = { local: false, inReplyToId: Number(below.id), uri: `${carol.uri}/statuses/1` }
    await reply(carol, Number(root.id), remote)
    const last = await given.status({ by: alice, inReplyTo: below })
    await given.status({ by: alice })

    const { status, body, headers, costs } = await fetchDocument(threadOf(root.id))

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/activity+json; charset=utf-8')
    expect(body).toEqual({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: threadOf(root.id),
      type: 'Collection',
      attributedTo: `https://fieldfare.test/users/${alice.username}`,
      first: {
        id: `${threadOf(root.id)}/items?page=true`,
        type: 'CollectionPage',
        partOf: threadOf(root.id),
        items: [uriOf(alice, root.id), uriOf(bob, below.id), remote.uri, uriOf(alice, last.id)],
      },
    })
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(costs.statements).toBeLessThanOrEqual(2)
    expect(costs.rowsRead).toBeLessThanOrEqual(40)
  })

  it('each status names its thread, and the conversation keeps its name', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const root = await given.status({ by: alice })
    const below = await given.status({ by: bob, inReplyTo: root })
    const named = {
      context: threadOf(root.id),
      conversation: `tag:fieldfare.test,2026:conversation/${root.id}`,
    }
    expect(await noteOf(alice, root.id)).toMatchObject(named)
    expect(await noteOf(bob, below.id)).toMatchObject(named)
  })

  it('pages through the thread to its end, with at most 500 rows per page', async () => {
    const [alice, peer] = [await given.account(), await knownPeer()]
    const root = await storedStatus({ accountId: alice.id })
    const all = [uriOf(alice, root)]
    for (let index = 0; index < 90; index += 1) {
      const isHidden = index % 3 === 0
      const id = await reply(alice, root, { visibility: isHidden ? 'private' : 'public' })
      if (!isHidden) all.push(uriOf(alice, id))
    }
    const signed = (url: string) => peer.get(url.replace('https://fieldfare.test', ''))
    for (const read of [fetchDocument, signed]) {
      const found: string[] = []
      let page: z.output<typeof Page> | null = null
      for (let url: string | undefined = threadOf(root); url !== undefined; url = page.next) {
        const { text, costs } = await read(url)
        expect(costs.rowsRead).toBeLessThanOrEqual(500)
        const body: unknown = JSON.parse(text)
        page = url === threadOf(root) ? Thread.parse(body).first : Page.parse(body)
        if (url !== threadOf(root)) expect(body).toMatchObject({ id: url, partOf: threadOf(root) })
        found.push(...page.items)
      }
      expect(found).toEqual(all)
    }
  })

  it('ends pages of many hidden statuses early, and continues after them', async () => {
    const alice = await given.account()
    const root = await storedStatus({ accountId: alice.id })
    for (let index = 0; index < 160; index += 1) await reply(alice, root, { visibility: 'direct' })
    const last = await reply(alice, root)
    const { body, costs } = await fetchDocument(threadOf(root))
    const { first } = Thread.parse(body)
    expect(first.items).toEqual([uriOf(alice, root)])
    expect(costs.rowsRead).toBeLessThanOrEqual(500)
    expect((await fetchDocument(first.next ?? '')).body).toMatchObject({ items: [uriOf(alice, last)] })
  })

  it('serves the items of a thread at their own address', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const items = `${threadOf(id)}/items`
    const page = { id: `${items}?page=true`, type: 'CollectionPage', items: [uriOf(alice, id)] }
    expect((await fetchDocument(items)).body).toMatchObject({ id: items, type: 'Collection', first: page })
    expect((await fetchDocument(`${items}?page=true`)).body).toMatchObject(page)
    expect((await fetchDocument(`${items}?page=true&min_id=${id}`)).body).toMatchObject({ items: [] })
  })

  it('keeps the thread without its first status, and does not name the author', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const root = await given.status({ by: alice })
    const below = await given.status({ by: bob, inReplyTo: root })
    await as(alice).delete(`/api/v1/statuses/${root.id}`)
    const { body } = await fetchDocument(threadOf(root.id))
    expect(Thread.parse(body).first.items).toEqual([uriOf(bob, below.id)])
    expect(body).not.toHaveProperty('attributedTo')
    expect(await noteOf(bob, below.id)).toMatchObject({ context: threadOf(root.id) })
  })
})

describe('no thread of this server', () => {
  it.each([
    ['a private status', { visibility: 'private' as const }],
    ['a direct status', { visibility: 'direct' as const }],
    ['a local-only status', { localOnly: true }],
  ])('serves no thread for %s', async (_what, more) => {
    const [alice, bob] = [await given.account(), await given.account()]
    const root = await storedStatus({ accountId: alice.id, ...more })
    await reply(bob, root)
    for (const path of ['', '/items', '/items?page=true'])
      expect((await fetchDocument(`${threadOf(root)}${path}`)).status).toBe(404)
  })

  it('serves no thread of a suspended author, a remote status, a reply or a reblog', async () => {
    const [alice, gone, far] = [await given.account(), await given.account(), await given.remoteAccount()]
    const root = await storedStatus({ accountId: alice.id })
    const remote = await storedStatus({ accountId: far.id, local: false })
    await reply(alice, remote)
    const ids = [
      await storedStatus({ accountId: gone.id }),
      remote,
      await reply(alice, root),
      await storedStatus({ accountId: alice.id, reblogOfId: root }),
      root + 1,
    ]
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, gone.id))
    for (const id of ids) {
      const answer = await fetchDocument(threadOf(id))
      expect([answer.status, answer.text.includes('/statuses/')]).toEqual([404, false])
    }
  })
})

describe('a status in the thread of another server', () => {
  it.each([
    [
      'as its server addresses it',
      'https://elsewhere.test/contexts/7-8',
      'https://elsewhere.test/contexts/7-8',
    ],
    ['by the name it always had, where its server gives none', null, null],
  ])('a status in a remote thread names the thread that %s', async (_how, contextUri, expected) => {
    const [alice, far] = [await given.account(), await given.remoteAccount()]
    const root = await storedStatus({ accountId: far.id, local: false, contextUri })
    const id = await reply(alice, root)
    const name = `tag:fieldfare.test,2026:conversation/${root}`
    expect(await noteOf(alice, String(id))).toMatchObject({ context: expected ?? name, conversation: name })
  })

  it('never names a thread that the other server claims to be here', async () => {
    const [alice, peer] = [await given.account(), await knownPeer()]
    await relation.follow(alice, peer)
    const own = await given.status({ by: alice })
    const note = peer.note({ document: { context: threadOf(own.id) } })
    await peer.send(peer.create(note))
    const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
    expect(row).toMatchObject({ contextUri: null })
  })
})
