import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  accounts,
  counters,
  domainLimits,
  homeEntries,
  polls,
  statusCounting,
  statuses,
  statusMentions,
  tombstones,
} from '../../../../src/db/schema'
import { importStatus } from '../../../../src/domain/statuses/remote/import'
import { receiveDelete } from '../../../../src/domain/statuses/remote/receive-edit'
import type { RemoteStatus } from '../../../../src/domain/statuses/remote/remote-status'
import { firstIdAt, instantOf } from '../../../../src/lib/ids'
import type { Job } from '../../../../src/messages/jobs'
import { as } from '../../../support/as'
import { countingDb } from '../../../support/costs'
import { countStatuses } from '../../../support/count-statuses'
import { expectCosts } from '../../../support/expect-costs'
import { given, type TestAccount } from '../../../support/given'
import { followed, importedStatus, remotePost } from '../../../support/given-remote'
import { storedNotificationsOf } from '../../../support/given-stored'
import { clock, context, settleLateWork } from '../../../support/test-app'

const origin = 'https://fieldfare.test'
const actor = ({ username }: TestAccount) => `${origin}/users/${username}`

/** A local reader who follows a remote author. */
async function people() {
  const [reader, author] = [await given.account(), await given.remoteAccount()]
  await followed(reader, author)
  return { reader, author }
}

const deliver = (author: { readonly id: number }, status: RemoteStatus) =>
  importStatus(context(), author.id, { status, occasion: 'delivered' })

async function rowOf(uri: string) {
  const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, uri))
  if (row === undefined) throw new Error(`${uri} is not stored`)
  return row
}

async function homeOf({ id }: { readonly id: number }) {
  const entries = await context().db.select().from(homeEntries).where(eq(homeEntries.accountId, id))
  return entries.map(({ statusId }) => statusId)
}

describe('a post of another server', () => {
  it('enters the feeds of followers and shows in the API as in its document', async () => {
    const { reader, author } = await people()
    const status = remotePost(author, {
      url: `https://elsewhere.test/@a/${author.id}`,
      spoilerText: 'birds',
      sensitive: true,
      language: 'de',
      tags: [{ name: 'wren', display: 'Wren' }],
      attachments: [
        {
          type: 'image',
          url: 'https://elsewhere.test/a.png',
          previewUrl: null,
          description: 'A wren',
          blurhash: 'LEHV6nWB2yk8',
          meta: { focus: { x: 0, y: 1 } },
        },
      ],
    })
    const imported = await deliver(author, status)
    const home = await as(reader).get('/api/v1/timelines/home')
    expect(imported.kind).toBe('stored')
    expect(home.body).toMatchObject([
      {
        uri: status.uri,
        url: status.url,
        content: status.content,
        spoiler_text: 'birds',
        sensitive: true,
        language: 'de',
        visibility: 'public',
        tags: [{ name: 'wren' }],
        media_attachments: [{ type: 'image', description: 'A wren', meta: { focus: { x: 0, y: 1 } } }],
      },
    ])
    expect(await homeOf(author)).toEqual([])
  })

  it('a post of another server takes its id from its time of publication, also when that id is taken', async () => {
    const author = await given.remoteAccount()
    const publishedAt = new Date('2020-02-03T04:05:06.000Z')
    const { id } = await importedStatus(author, { publishedAt })
    const ctx = context()
    const order = { status: remotePost(author, { publishedAt }), occasion: 'fetched' } as const
    let last = id - 2
    const clumsy = {
      next: (at?: Date) => {
        if (at !== undefined) last += 1
        return at === undefined ? ctx.ids.next() : last
      },
    }
    const outcome = await importStatus({ ...ctx, ids: clumsy }, author.id, order)
    expect(instantOf(id)).toEqual(publishedAt)
    expect(outcome).toEqual({ kind: 'stored', id: id - 1 })
    last = id - 2
    const next = { ...order, status: remotePost(author, { publishedAt }) }
    expect(await importStatus({ ...ctx, ids: clumsy }, author.id, next)).toEqual({
      kind: 'stored',
      id: id + 1,
    })
  })

  it('stores a post once, however often it arrives [T-645]', async () => {
    const { reader, author } = await people()
    const status = remotePost(author)
    const first = await deliver(author, status)
    const again = await deliver(author, { ...status, content: '<p>forged</p>' })
    const both = await Promise.all(
      [1, 2].map(() => deliver(author, remotePost(author, { uri: `${status.uri}/b` }))),
    )
    expect(again).toEqual({ kind: 'duplicate', id: first.kind === 'stored' ? first.id : null })
    expect(both.filter(({ kind }) => kind === 'stored')).toHaveLength(1)
    expect((await rowOf(status.uri)).content).toBe('<p>The wren sings.</p>')
    expect(await homeOf(reader)).toHaveLength(2)
  })

  it('does not restore a deleted post', async () => {
    const { author } = await people()
    const status = remotePost(author)
    await context().db.insert(tombstones).values({ uri: status.uri, deletedAt: clock.now() })
    expect(await deliver(author, status)).toEqual({ kind: 'ignored', reason: 'deleted before' })
  })

  it('accepts duplicate mentions and tags [T-646]', async () => {
    const { reader, author } = await people()
    const tag = { name: 'wren', display: 'wren' }
    await deliver(
      author,
      remotePost(author, {
        mentioned: [actor(reader), actor(reader)],
        tags: [tag, { ...tag, display: 'Wren' }],
      }),
    )
    expect(await storedNotificationsOf(reader)).toEqual([{ type: 'mention', from: author.id }])
  })

  it('counts a post for its author once cron ran, an older one at once, and never for this server', async () => {
    const { author } = await people()
    const { db } = context()
    const before = await db.select().from(counters).where(eq(counters.name, 'statuses'))
    const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds)
    const published = ago(60_000)
    await db.update(statusCounting).set({ countedBefore: firstIdAt(ago(3_600_000)) })
    const post = () => remotePost(author, { publishedAt: published })
    const figures = async () => (await db.select().from(accounts).where(eq(accounts.id, author.id)))[0]
    const [first, second, third] = [post(), post(), post()]
    for (const status of [first, second]) await deliver(author, status)
    await receiveDelete(context(), author, first.uri)
    expect(await figures()).toMatchObject({ statusesCount: 0, lastStatusAt: null })
    await countStatuses()
    expect(await figures()).toMatchObject({ statusesCount: 1, lastStatusAt: published })
    await deliver(author, third)
    expect(await figures()).toMatchObject({ statusesCount: 2 })
    await receiveDelete(context(), author, second.uri)
    expect(await figures()).toMatchObject({ statusesCount: 1 })
    expect(await db.select().from(counters).where(eq(counters.name, 'statuses'))).toEqual(before)
  })

  it('stores a post without media, or not at all, where moderators decided so', async () => {
    const at = async (severity: 'noop' | 'suspend', rejectMedia: boolean) => {
      const [reader, author] = [
        await given.account(),
        await given.remoteAccount({ domain: `${severity}.limited.test` }),
      ]
      await followed(reader, author)
      const limit = {
        domain: author.domain,
        id: context().ids.next(),
        severity,
        rejectMedia,
        createdAt: clock.now(),
      }
      await context().db.insert(domainLimits).values(limit)
      const picture = { type: 'image', url: `https://${author.domain}/a.png`, previewUrl: null } as const
      const attachment = { ...picture, description: null, blurhash: null, meta: {} }
      const status = remotePost(author, { attachments: [attachment] })
      return { status, outcome: await deliver(author, status) }
    }
    const [bare, none] = [await at('noop', true), await at('suspend', false)]
    expect((await rowOf(bare.status.uri)).attachments).toEqual([])
    expect(none.outcome).toEqual({ kind: 'rejected', reason: 'its server is suspended' })
  })

  it('stores the votes of its poll', async () => {
    const { author } = await people()
    const poll = {
      options: ['wren', 'crow'],
      tallies: [2, 1],
      multiple: false,
      votersCount: 3,
      expiresAt: new Date(clock.now().getTime() + 60_000),
      closedAt: null,
    }
    const { id } = await importedStatus(author, { poll })
    const [row] = await context().db.select().from(polls).where(eq(polls.statusId, id))
    expect(row).toMatchObject({ ...poll, votesCount: 3 })
  })

  it('a fetched old post enters no feed and notifies nobody', async () => {
    const { reader, author } = await people()
    const publishedAt = new Date(clock.now().getTime() - 7 * 3_600_000)
    await importedStatus(author, { publishedAt, mentioned: [actor(reader)] })
    expect({ home: await homeOf(reader), told: await storedNotificationsOf(reader) }).toEqual({
      home: [],
      told: [],
    })
  })

  it('notifies subscribers of its author', async () => {
    const { author } = await people()
    const listener = await given.account()
    await followed(listener, author, { notify: true })
    await deliver(author, remotePost(author))
    expect(await storedNotificationsOf(listener)).toEqual([{ type: 'status', from: author.id }])
  })
})

describe('relevance of received posts', () => {
  it('does not store irrelevant posts', async () => {
    const author = await given.remoteAccount()
    const stranger = await given.remoteAccount()
    await followed(stranger, author)
    const outcome = await deliver(author, remotePost(author))
    const direct = remotePost(author, { visibility: 'direct' })
    const hidden = remotePost(author, { visibility: 'private' })
    expect(outcome).toEqual({ kind: 'ignored', reason: 'nobody concerned' })
    for (const status of [direct, hidden])
      expect(await importStatus(context(), author.id, { status, occasion: 'fetched' })).toEqual(outcome)
  })

  it('shows a direct post to its recipients, and only to them', async () => {
    const { reader, author } = await people()
    const named = await given.account()
    const status = remotePost(author, { visibility: 'direct', mentioned: [actor(named)] })
    await deliver(author, status)
    const { id } = await rowOf(status.uri)
    expect((await as(named).get(`/api/v1/statuses/${id}`)).status).toBe(200)
    expect((await as(reader).get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect(await homeOf(reader)).toEqual([])
  })

  it('shows a post to a merely addressed account without a notification', async () => {
    const author = await given.remoteAccount()
    const named = await given.account()
    const mentioned = [actor(named)]
    const status = remotePost(author, { visibility: 'direct', mentioned, silent: mentioned })
    await deliver(author, status)
    const { id, mentions } = await rowOf(status.uri)
    expect(mentions).toEqual([])
    expect((await as(named).get(`/api/v1/statuses/${id}`)).status).toBe(200)
    expect(await storedNotificationsOf(named)).toEqual([])
  })

  it('does not notify accounts that blocked the author', async () => {
    const author = await given.remoteAccount()
    const named = await given.account()
    await as(named).post(`/api/v1/accounts/${author.id}/block`)
    await deliver(author, remotePost(author, { mentioned: [actor(named)] }))
    expect(await storedNotificationsOf(named)).toEqual([])
  })
})

describe('an answer from another server', () => {
  it('joins the local thread and counts there, unless it is private [T-647]', async () => {
    const writer = await given.account()
    const author = await given.remoteAccount()
    const post = await given.status({ by: writer })
    const parent = `${origin}/users/${writer.username}/statuses/${post.id}`
    await deliver(author, remotePost(author, { inReplyTo: parent }))
    const hidden = remotePost(author, {
      inReplyTo: parent,
      visibility: 'private',
      mentioned: [actor(writer)],
    })
    await deliver(author, hidden)
    const shown = await as(writer).get(`/api/v1/statuses/${post.id}`)
    expect(shown.body).toMatchObject({ replies_count: 1 })
    expect(await rowOf(hidden.uri)).toMatchObject({
      inReplyToId: Number(post.id),
      inReplyToAccountId: writer.id,
      inReplyToUri: null,
      conversationId: Number(post.id),
    })
  })

  it('a remote reply stays outside the thread of a status that its author may not see', async () => {
    const writer = await given.account()
    const author = await given.remoteAccount()
    const post = await given.status({ by: writer, visibility: 'private' })
    const parent = `${origin}/users/${writer.username}/statuses/${post.id}`
    const status = remotePost(author, { inReplyTo: parent, mentioned: [actor(writer)] })
    await deliver(author, status)
    expect(await rowOf(status.uri)).toMatchObject({ inReplyToId: null, inReplyToUri: parent })
  })

  it('rejects a reply where the local author allows none', async () => {
    const writer = await given.account()
    const [stranger, follower] = [await given.remoteAccount(), await given.remoteAccount()]
    const post = await given.status({ by: writer })
    const parent = `${origin}/users/${writer.username}/statuses/${post.id}`
    await followed(follower, writer)
    await context()
      .db.update(statuses)
      .set({ replyPolicy: 'followers' })
      .where(eq(statuses.id, Number(post.id)))
    const outcomes = await Promise.all(
      [stranger, follower].map((author) => deliver(author, remotePost(author, { inReplyTo: parent }))),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'stored'])
  })

  it('a reply that arrives first waits for its parent outside feeds, and joins its thread later [T-648]', async () => {
    const { reader, author } = await people()
    const parent = remotePost(author)
    const child = remotePost(author, { inReplyTo: parent.uri })
    await deliver(author, child)
    const { id: childId } = await rowOf(child.uri)
    const grandchild = remotePost(author, { inReplyTo: child.uri })
    await deliver(author, grandchild)
    expect(await homeOf(reader)).not.toContain(childId)
    await deliver(author, parent)
    const { id, repliesCount, conversationId } = await rowOf(parent.uri)
    expect(repliesCount).toBe(1)
    expect(await rowOf(child.uri)).toMatchObject({
      inReplyToId: id,
      inReplyToAccountId: author.id,
      inReplyToUri: null,
      conversationId,
    })
    expect((await rowOf(grandchild.uri)).conversationId).toBe(conversationId)
    expect(await homeOf(reader)).toContain(childId)
  })

  it('a remote reply stays outside the thread of a parent that turns out to be hidden from its author', async () => {
    const { reader, author } = await people()
    const other = await given.remoteAccount()
    await followed(reader, other)
    const parent = remotePost(author, { visibility: 'private' })
    const child = remotePost(other, { inReplyTo: parent.uri })
    await deliver(other, child)
    await deliver(author, parent)
    expect(await rowOf(child.uri)).toMatchObject({ inReplyToId: null, inReplyToUri: parent.uri })
  })

  it('fetches unknown parents up to a fixed number of levels', async () => {
    const { author } = await people()
    const wanted: Job[] = []
    const ctx = context({ jobs: { send: async (job) => void wanted.push(job) } })
    const inReplyTo = `https://elsewhere.test/unknown/${author.id}`
    const give = (up: number, down: number, repliesUri: string | null = null) => {
      const status = remotePost(author, { inReplyTo, repliesUri })
      return importStatus(ctx, author.id, { status, occasion: 'fetched', levels: { up, down } })
    }
    const first = await give(3, 0, `${author.uri}/replies`)
    await give(0, 0)
    const last = await give(0, 1, `${author.uri}/replies`)
    await settleLateWork()
    expect(wanted).toEqual([
      { kind: 'fetch-ancestors', statusId: first.kind === 'stored' ? first.id : null, levels: 3 },
      { kind: 'fetch-replies', statusId: last.kind === 'stored' ? last.id : null, levels: 1 },
    ])
  })
})

describe('costs of an import', () => {
  it('stores a post in two round trips', async () => {
    const author = await given.remoteAccount()
    const followers = await given.accounts(3)
    for (const follower of followers) await followed(follower, author)
    const counted = countingDb(env.DB)
    await importStatus(context({}, counted.db), author.id, {
      status: remotePost(author),
      occasion: 'delivered',
    })
    const costs = counted.read()
    expectCosts(costs, { trips: 2 })
    expect(costs.statements).toBeLessThanOrEqual(26)
    expect(costs.rowsRead).toBeLessThanOrEqual(50 + 2 * 3)
    expect(costs.rowsWritten).toBeLessThanOrEqual(6 + 3)
  })

  it('stores a thread of mentions in statements below the limit of parameters', async () => {
    const author = await given.remoteAccount()
    const reader = await given.account()
    const mentioned = [
      actor(reader),
      ...Array.from({ length: 99 }, (_, n) => `https://elsewhere.test/u/${n}`),
    ]
    const { id } = await importedStatus(author, { mentioned })
    const rows = await context().db.select().from(statusMentions).where(eq(statusMentions.statusId, id))
    expect(rows.map(({ accountId }) => accountId)).toEqual([reader.id])
  })
})
