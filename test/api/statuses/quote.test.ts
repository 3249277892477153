import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { quotes } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { context } from '../../support/test-app'

const Posted = z.looseObject({ id: z.string(), content: z.string(), visibility: z.string() })

async function quoting(by: TestAccount, id: number | string, fields: Record<string, unknown> = {}) {
  return as(by).post('/api/v1/statuses', { status: 'so true', quoted_status_id: String(id), ...fields })
}

async function posted(by: TestAccount, id: number | string, fields: Record<string, unknown> = {}) {
  return Posted.parse((await quoting(by, id, fields)).body)
}

async function seen(by: TestAccount, id: string) {
  return (await as(by).get(`/api/v1/statuses/${id}`)).body
}

async function pair(): Promise<readonly [TestAccount, TestAccount]> {
  return [await given.account(), await given.account()]
}

describe('a post with quoted_status_id', () => {
  it('quotes an own or quotable status [T-561]', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice })
    for (const by of [alice, bob])
      expect((await quoting(by, id)).body).toMatchObject({
        quote: { state: 'accepted', quoted_status: { id, quote: null } },
      })
    expect(await seen(bob, id)).toMatchObject({ quotes_count: 2, quote: null })
    const { body } = await as(alice).get('/api/v1/notifications?types[]=quote')
    expect(body).toEqual([expect.objectContaining({ type: 'quote' })])
    expect(body).toMatchObject([
      { account: { id: String(bob.id) }, status: { quote: { quoted_status: { id } } } },
    ])
  })

  it('waits for the consent of a remote author [T-562]', async () => {
    const [, bob] = await pair()
    const { id: accountId } = await given.remoteAccount()
    const there = await storedStatus({ accountId, local: false })
    expect((await quoting(bob, there)).body).toMatchObject({
      quote: { state: 'pending', quoted_status: null },
    })
    expect(await seen(bob, String(there))).toMatchObject({ quotes_count: 0 })
  })

  it('quotes the reblogged status of a reblog [T-563]', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice })
    const reblog = Posted.parse((await as(bob).post(`/api/v1/statuses/${id}/reblog`)).body)
    expect((await quoting(bob, reblog.id)).body).toMatchObject({ quote: { quoted_status: { id } } })
  })

  it.each(['blocking', 'blocked'] as const)(
    'a post with quoted_status_id is 404 to an account %s [T-564]',
    async (side) => {
      const [alice, bob] = await pair()
      const { id } = await given.status({ by: alice })
      await (side === 'blocking' ? relation.block(bob, alice) : relation.block(alice, bob))
      expect((await quoting(bob, id)).status).toBe(404)
    },
  )

  it('a post with quoted_status_id is 404 where the policy or the visibility of the quoted status denies it, and where there is none [T-565]', async () => {
    const [alice, bob] = await pair()
    await relation.follow(bob, alice)
    const ids = [
      (await given.status({ by: alice, quotePolicy: 'nobody' })).id,
      (await given.status({ by: alice, visibility: 'private' })).id,
      (await given.status({ by: alice, text: `@${bob.username} psst`, visibility: 'direct' })).id,
      '1',
    ]
    for (const id of ids) expect((await quoting(bob, id)).status).toBe(404)
    const direct = await given.status({ by: alice, visibility: 'direct' })
    expect((await quoting(alice, direct.id)).status).toBe(404)
  })

  it('a quote of a followers-only status is for followers', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice, quotePolicy: 'followers' })
    expect((await quoting(bob, id)).status).toBe(404)
    await relation.follow(bob, alice)
    expect((await quoting(bob, id)).status).toBe(200)
  })

  it('a direct quote may only quote an account it mentions [T-566]', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice })
    expect((await quoting(bob, id, { visibility: 'direct' })).status).toBe(422)
    const status = `@${alice.username} look`
    expect((await quoting(bob, id, { visibility: 'direct', status })).status).toBe(200)
  })

  it('a quote of an own followers-only status is for followers, whatever the requested visibility [T-567]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice, visibility: 'private' })
    for (const visibility of ['public', 'unlisted', 'private'])
      expect((await quoting(alice, id, { visibility })).body).toMatchObject({ visibility: 'private' })
  })

  it('a post with quoted_status_id is local-only with its quote, and fetches nothing for a local-only one', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice, localOnly: true })
    expect((await quoting(bob, id)).body).toMatchObject({ local_only: true })
    const { id: accountId } = await given.remoteAccount()
    const there = await storedStatus({ accountId, local: false })
    expect((await quoting(bob, there, { local_only: true })).status).toBe(422)
  })

  it('a post with quoted_status_id can have a warning and no text, and has a link for clients without quotes [T-568]', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice })
    const { body } = await quoting(bob, id, { status: '', spoiler_text: 'birds' })
    const url = `https://fieldfare.test/@${alice.username}/${id}`
    const link = `<a href="${url}" target="_blank" rel="nofollow noopener noreferrer">${url}</a>`
    expect(body).toMatchObject({ spoiler_text: 'birds', content: `<p class="quote-inline">RE: ${link}</p>` })
  })
})

describe('a post with quote_approval_policy', () => {
  it('shows the policy in quote_approval, which is nobody for a status that is not public [T-569]', async () => {
    const alice = await given.account({ user: { settings: { defaultQuotePolicy: 'followers' } } })
    const approval = async (fields: Record<string, unknown>) =>
      (await as(alice).post('/api/v1/statuses', { status: 'x', ...fields })).body
    for (const policy of ['public', 'followers'])
      expect(await approval({ quote_approval_policy: policy })).toMatchObject({
        quote_approval: { automatic: [policy], manual: [], current_user: 'automatic' },
      })
    expect(await approval({})).toMatchObject({ quote_approval: { automatic: ['followers'] } })
    expect(await approval({ quote_approval_policy: 'nobody' })).toMatchObject({
      quote_approval: { automatic: [], current_user: 'automatic' },
    })
    const of = (visibility: string) => approval({ visibility, quote_approval_policy: 'public' })
    expect(await of('private')).toMatchObject({
      quote_approval: { automatic: [], current_user: 'automatic' },
    })
    expect(await of('direct')).toMatchObject({ quote_approval: { automatic: [], current_user: 'denied' } })
  })
})

describe('a quote', () => {
  it('a quote nests one level, and names the quoted status', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice })
    const inner = await posted(bob, id)
    const outer = await posted(alice, inner.id)
    expect(await seen(bob, outer.id)).toMatchObject({
      quote: { quoted_status: { id: inner.id, quote: { state: 'accepted', quoted_status_id: id } } },
    })
    const shared = Posted.parse((await as(bob).post(`/api/v1/statuses/${outer.id}/reblog`)).body)
    expect(shared).toMatchObject({
      quote: null,
      content: outer.content,
      reblog: { quote: { quoted_status: { id: inner.id } } },
    })
  })

  it('a quote is deleted with its quoted status, and no longer counted when it is deleted itself', async () => {
    const [alice, bob] = await pair()
    const { id } = await given.status({ by: alice })
    const [first, second] = [await posted(bob, id), await posted(bob, id)]
    await as(bob).delete(`/api/v1/statuses/${first.id}`)
    expect(await seen(bob, id)).toMatchObject({ quotes_count: 1 })
    await as(alice).delete(`/api/v1/statuses/${id}`)
    expect(await seen(bob, second.id)).toMatchObject({
      quote: { state: 'deleted', quoted_status: null },
      content: '<p>so true</p>',
    })
  })

  it('shows nothing to accounts that the quoted author blocks, at any level', async () => {
    const [alice, bob] = await pair()
    const carol = await given.account()
    const { id } = await given.status({ by: alice, text: 'the-hedge' })
    const inner = await posted(bob, id)
    const outer = await posted(bob, inner.id)
    await relation.block(alice, carol)
    const shown = await seen(carol, inner.id)
    expect(shown).toMatchObject({ quote: { state: 'unauthorized', quoted_status: null } })
    expect(JSON.stringify(shown)).not.toContain(id)
    expect(await seen(carol, outer.id)).toMatchObject({
      quote: { quoted_status: { quote: { state: 'unauthorized', quoted_status_id: null } } },
    })
    expect((await anonymous.get(`/api/v1/statuses/${inner.id}`)).body).toMatchObject({
      quote: { state: 'accepted' },
    })
  })

  it.each([
    ['block', 'blocked_account'],
    ['mute', 'muted_account'],
  ] as const)(
    'a quote is, after a %s by its reader, %s, with its quoted status',
    async (interaction, state) => {
      const [alice, bob] = await pair()
      const carol = await given.account()
      const { id } = await given.status({ by: alice })
      const { id: quote } = await posted(bob, id)
      await relation[interaction](carol, alice)
      expect(await seen(carol, quote)).toMatchObject({ quote: { state, quoted_status: { id } } })
    },
  )

  it('a quote of a domain its reader blocks is blocked_domain', async () => {
    const [, bob] = await pair()
    const carol = await given.account()
    const there = await given.remoteAccount({ domain: 'shunned.test' })
    const id = await storedStatus({ accountId: there.id, local: false })
    const { id: quote } = await posted(bob, id)
    await context()
      .db.update(quotes)
      .set({ state: 'accepted' })
      .where(eq(quotes.statusId, Number(quote)))
    await as(carol).post('/api/v1/domain_blocks', { domain: 'shunned.test' })
    expect(await seen(carol, quote)).toMatchObject({ quote: { state: 'blocked_domain' } })
    expect(await seen(bob, quote)).toMatchObject({ quote: { state: 'accepted' } })
  })
})

describe('a page of quotes', () => {
  it('costs one round trip, within the budget of a page', async () => {
    const [alice, bob] = await pair()
    await relation.follow(alice, bob)
    const { id } = await given.status({ by: alice })
    for (let count = 0; count < 20; count += 1) {
      const one = count % 2 === 0 ? await given.status({ by: alice }) : { id }
      await posted(bob, one.id)
    }
    const { body, costs } = await as(alice).get('/api/v1/timelines/home?limit=20')
    expect(body).toHaveLength(20)
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(600)
  })
})
