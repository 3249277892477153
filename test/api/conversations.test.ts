import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Conversation } from '../../src/contract/entities/timelines'
import { accounts, conversations } from '../../src/db/schema'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { purgeAccount } from '../../src/domain/cleanup/purge-account'
import { anonymous, as } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { given, type TestAccount } from '../support/given'
import { conversationSummary, conversationsOf, direct } from '../support/given-direct'
import { relation } from '../support/given-relationships'
import { clock, context, settleLateWork } from '../support/test-app'

const path = '/api/v1/conversations'

async function people(count: number): Promise<readonly [TestAccount, TestAccount, TestAccount]> {
  const [one, two, three] = await given.accounts(Math.max(3, count))
  if (one === undefined || two === undefined || three === undefined) throw new Error('nobody there')
  return [one, two, three]
}

describe('GET /api/v1/conversations', () => {
  it('shows a direct status to its author as read and to mentioned accounts as unread, each without themselves [T-265]', async () => {
    const [alice, bob, carol] = await people(3)
    const { id } = await direct(alice, [bob, carol])
    const [own, other] = [await conversationsOf(alice), await conversationsOf(bob)]
    expect(own.map(conversationSummary)).toEqual([
      { unread: false, with: [bob.username, carol.username], last: id },
    ])
    expect(other.map(conversationSummary)).toEqual([
      { unread: true, with: [alice.username, carol.username], last: id },
    ])
  })

  it('shows a note to self with its author [T-266]', async () => {
    const [alice] = await people(1)
    const { id } = await direct(alice, [], { text: 'buy seeds' })
    const found = await conversationsOf(alice)
    expect(found.map(conversationSummary)).toEqual([{ unread: false, with: [alice.username], last: id }])
  })

  it('keeps a reply in the conversation, and creates another for other participants', async () => {
    const [alice, bob, carol] = await people(3)
    const first = await direct(alice, [bob])
    const answer = await direct(bob, [alice], { inReplyTo: first })
    const wider = await direct(alice, [bob, carol], { inReplyTo: answer })
    const [wide, narrow] = await conversationsOf(alice)
    expect(narrow && conversationSummary(narrow)).toEqual({
      unread: true,
      with: [bob.username],
      last: answer.id,
    })
    expect(wide && conversationSummary(wide).last).toBe(wider.id)
    expect(await conversationsOf(carol)).toHaveLength(1)
  })

  it('GET /api/v1/conversations has only direct statuses', async () => {
    const [alice, bob] = await people(2)
    for (const visibility of ['public', 'unlisted', 'private'] as const)
      await given.status({ by: alice, visibility, text: `@${bob.username} hello` })
    expect(await conversationsOf(bob)).toEqual([])
  })

  it('pages by the last status, the newest first; since_id in the future → [] [T-267]', async () => {
    const [alice, bob] = await people(2)
    const made = [await direct(bob, [alice]), await direct(bob, [alice]), await direct(bob, [alice])]
    const [oldest, middle, newest] = made.map(({ id }) => id)
    const top = await as(alice).get(`${path}?limit=2`)
    expect(
      Conversation.array()
        .parse(top.body)
        .map((c) => c.last_status?.id),
    ).toEqual([newest, middle])
    expect(top.links).toEqual({
      next: `${path}?limit=2&max_id=${middle}`,
      prev: `${path}?limit=2&min_id=${newest}`,
    })
    const rest = await as(alice).get(top.links.next ?? '')
    expect(
      Conversation.array()
        .parse(rest.body)
        .map((c) => c.last_status?.id),
    ).toEqual([oldest])
    expect(rest.links).toEqual({ prev: `${path}?limit=2&min_id=${oldest}` })
    expect((await conversationsOf(alice, `?min_id=${oldest}&limit=1`)).map((c) => c.last_status?.id)).toEqual(
      [middle],
    )
    expect(await conversationsOf(alice, '?since_id=9007199254740991')).toEqual([])
    expect(await conversationsOf(alice, '?since_id=109999999999999999999')).toEqual([])
  })

  it('GET /api/v1/conversations costs one round trip', async () => {
    const [alice, bob] = await people(2)
    await direct(bob, [alice])
    const { costs } = await as(alice).get(path)
    expectCosts(costs, { trips: 1, rowsWritten: 0 })
  })

  it('GET /api/v1/conversations is refused without a token', async () => {
    expect((await anonymous.get(path)).status).toBe(401)
  })
})

describe('a conversation', () => {
  it('a conversation can be marked read and unread, and a reply of the other makes it unread again [T-268]', async () => {
    const [alice, bob] = await people(2)
    const first = await direct(alice, [bob])
    const [found] = await conversationsOf(bob)
    const read = await as(bob).post(`${path}/${found?.id}/read`)
    expect(read).toMatchObject({ status: 200, body: { id: found?.id, unread: false } })
    expect(read.costs.trips).toBeLessThanOrEqual(3)
    expect((await as(bob).post(`${path}/${found?.id}/unread`)).body).toMatchObject({ unread: true })
    await direct(bob, [alice], { inReplyTo: first })
    expect((await conversationsOf(bob)).map(({ unread }) => unread)).toEqual([false])
    await direct(alice, [bob], { inReplyTo: first })
    expect((await conversationsOf(bob)).map(({ unread }) => unread)).toEqual([true])
  })

  it('a conversation is deleted for its owner alone, and starts again with the next status [T-269]', async () => {
    const [alice, bob] = await people(2)
    const first = await direct(alice, [bob])
    const [found] = await conversationsOf(bob)
    expect(await as(bob).delete(`${path}/${found?.id}`)).toMatchObject({ status: 200, body: {} })
    expect(await conversationsOf(bob)).toEqual([])
    expect(await conversationsOf(alice)).toHaveLength(1)
    expect((await as(bob).get(`/api/v1/statuses/${first.id}`)).status).toBe(200)
    const second = await direct(alice, [bob], { inReplyTo: first })
    expect((await conversationsOf(bob)).map(conversationSummary)).toMatchObject([
      { last: second.id, unread: true },
    ])
    // A status of the deleted conversation does not come back.
    await as(alice).delete(`/api/v1/statuses/${second.id}`)
    expect(await conversationsOf(bob)).toEqual([])
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([{ last: first.id }])
  })

  it('answers 404 for a conversation of another account [T-270]', async () => {
    const [alice, bob, mallory] = await people(3)
    await direct(alice, [bob])
    const [found] = await conversationsOf(bob)
    for (const verb of ['read', 'unread'])
      expect((await as(mallory).post(`${path}/${found?.id}/${verb}`)).status).toBe(404)
    expect((await as(mallory).delete(`${path}/${found?.id}`)).status).toBe(404)
    expect((await conversationsOf(bob)).map(({ unread }) => unread)).toEqual([true])
    for (const nonsense of ['0', 'x', '99999999999999999999'])
      expect((await as(bob).delete(`${path}/${nonsense}`)).status).toBe(404)
  })

  it('shows the previous status when the last one is deleted, and is deleted with the only one', async () => {
    const [alice, bob, carol] = await people(3)
    const first = await direct(alice, [bob])
    await direct(alice, [bob, carol], { inReplyTo: first })
    const last = await direct(bob, [alice], { inReplyTo: first })
    await as(bob).delete(`/api/v1/statuses/${last.id}`)
    for (const person of [alice, bob])
      expect((await conversationsOf(person)).map(conversationSummary)).toContainEqual({
        last: first.id,
        with: [person === alice ? bob.username : alice.username],
        unread: person === alice,
      })
    const deletion = await as(alice).delete(`/api/v1/statuses/${first.id}`)
    expect(deletion.costs.trips).toBeLessThanOrEqual(3)
    for (const person of [alice, bob]) expect(await conversationsOf(person)).toHaveLength(1)
  })

  it('a conversation keeps its last status when an earlier one is deleted', async () => {
    const [alice, bob] = await people(2)
    const first = await direct(alice, [bob])
    const last = await direct(bob, [alice], { inReplyTo: first })
    await as(alice).delete(`/api/v1/statuses/${first.id}`)
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([{ last: last.id }])
  })

  it('starts for an account an edit mentions, and is unchanged for accounts mentioned before', async () => {
    const [alice, bob, carol] = await people(3)
    const { id } = await direct(alice, [bob])
    await as(alice).put(`/api/v1/statuses/${id}`, {
      status: `@${bob.username} @${carol.username} both of you`,
    })
    expect((await conversationsOf(carol)).map(conversationSummary)).toEqual([
      { unread: true, with: [alice.username, bob.username], last: id },
    ])
    expect((await conversationsOf(bob)).map(conversationSummary)).toEqual([
      { unread: true, with: [alice.username], last: id },
    ])
    // Named no more, and then again among others.
    await as(alice).put(`/api/v1/statuses/${id}`, { status: `@${carol.username} only you` })
    const again = await as(alice).put(`/api/v1/statuses/${id}`, {
      status: `@${bob.username} @${carol.username} again`,
    })
    expect(again.status).toBe(200)
    expect(await conversationsOf(bob)).toHaveLength(1)
  })
})

describe('a conversation with a hidden account', () => {
  it.each(['block', 'mute'])(
    'a conversation with a hidden account is removed with a %s, and receives nothing more of the account',
    async (verb) => {
      const [alice, bob, carol] = await people(3)
      await direct(alice, [bob])
      const kept = await direct(carol, [alice])
      await direct(bob, [alice, carol])
      await as(alice).post(`/api/v1/accounts/${bob.id}/${verb}`)
      const hiddenPost = await direct(bob, [alice])
      expect((await conversationsOf(alice)).map((c) => c.last_status?.id)).toEqual([kept.id])
      expect((await conversationsOf(bob)).map((c) => c.last_status?.id)).toContain(hiddenPost.id)
    },
  )

  it('a conversation with a hidden account stays with a mute that keeps notifications', async () => {
    const [alice, bob] = await people(2)
    const first = await direct(alice, [bob])
    await as(alice).post(`/api/v1/accounts/${bob.id}/mute`, { notifications: false })
    const last = await direct(bob, [alice], { inReplyTo: first })
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([
      { last: last.id, unread: true },
    ])
  })

  it('a conversation with a hidden account is removed with the block of their domain', async () => {
    const [alice, bob] = await people(2)
    const there = await given.remoteAccount({ domain: 'barred.example' })
    await direct(alice, [there])
    await direct(alice, [bob])
    await as(alice).post('/api/v1/domain_blocks', { domain: 'barred.example' })
    expect((await conversationsOf(alice)).map((c) => c.accounts[0]?.username)).toEqual([bob.username])
  })

  it('a muted conversation is only bumped by the viewer’s own posts', async () => {
    const [alice, bob] = await people(2)
    const first = await direct(alice, [bob])
    await as(alice).post(`/api/v1/statuses/${first.id}/mute`)
    const answer = await direct(bob, [alice], { inReplyTo: first })
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([
      { last: first.id, unread: false },
    ])
    const own = await direct(alice, [bob], { inReplyTo: answer })
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([
      { last: own.id, unread: false },
    ])
  })

  it('a conversation with a hidden account is hidden while the author of its last status blocks the viewer or is suspended', async () => {
    const [alice, bob, carol] = await people(3)
    await direct(alice, [bob])
    await direct(carol, [bob])
    await as(alice).post(`/api/v1/accounts/${bob.id}/block`)
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, carol.id))
    const answer = await as(bob).get(path)
    expect(answer.body).toEqual([])
    expect(answer.links).toEqual({})
  })

  it('never shows an earlier post of a now hidden account', async () => {
    const [alice, bob, carol] = await people(3)
    const first = await direct(bob, [alice, carol])
    const last = await direct(carol, [alice, bob], { inReplyTo: first })
    await relation.mute(alice, bob)
    await as(carol).delete(`/api/v1/statuses/${last.id}`)
    expect(await conversationsOf(alice)).toEqual([])
  })
})

describe('a conversation with deleted accounts', () => {
  it('a conversation is deleted with the account of its owner', async () => {
    const [alice, bob] = await people(2)
    await direct(alice, [bob])
    await deleteOwnAccount(context(), bob.id)
    await settleLateWork()
    const left = await context().db.select().from(conversations).where(eq(conversations.accountId, bob.id))
    expect(left).toEqual([])
    expect((await conversationsOf(alice)).map((c) => c.accounts[0]?.suspended)).toEqual([true])
  })

  it('ends with the posts of the others when an account is deleted', async () => {
    const [alice, bob, carol] = await people(3)
    const first = await direct(alice, [bob])
    await direct(bob, [alice], { inReplyTo: first })
    await direct(bob, [carol])
    await purgeAccount(context(), bob.id)
    expect((await conversationsOf(alice)).map(conversationSummary)).toMatchObject([{ last: first.id }])
    expect(await conversationsOf(carol)).toEqual([])
  })
})

describe('costs of a direct status', () => {
  it('a direct status costs one statement, one row for the thread, three for each local participant, and one for unread ones', async () => {
    const [alice, bob] = await people(2)
    const status = `@${bob.username} psst`
    const post = async (visibility: string) =>
      (await as(alice).post('/api/v1/statuses', { status, visibility })).costs
    await post('direct')
    const [open, closed] = [await post('unlisted'), await post('direct')]
    expect(closed.trips).toBeLessThanOrEqual(4)
    expect(closed.rowsRead).toBeLessThanOrEqual(200)
    // An unlisted one is counted instead, in several places. The mention has an index by account; an index of threads
    // with local statuses keeps these from being pruned.
    expect(closed.rowsWritten).toBeLessThanOrEqual(14 + 2 * 3 + 1)
    expect(closed.statements).toBeLessThanOrEqual(open.statements)
  })
})
