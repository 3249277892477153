import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Report } from '../../src/contract/entities/report'
import { execute } from '../../src/db/query'
import { moderationEvidence, reports, users } from '../../src/db/schema'
import { loadRules, saveRules } from '../../src/domain/instance/rules'
import { operator } from '../../src/domain/policy/permissions'
import { resolveReport } from '../../src/domain/reports/update'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { storedCollection } from '../support/given-collection'
import { relation } from '../support/given-relationships'
import { clock, context } from '../support/test-app'

const path = '/api/v1/reports'

const report = (by: TestAccount, body: Readonly<Record<string, unknown>>) => as(by).post(path, body)

const kept = ({ id }: { readonly id: number }) =>
  context().db.select().from(reports).where(eq(reports.targetAccountId, id))

const twoPeople = async () => [await given.account(), await given.account()] as const

describe('POST /api/v1/reports', () => {
  it('account_id → Report; category default other [T-459]', async () => {
    const [alice, bob] = await twoPeople()
    const answer = await report(alice, { account_id: String(bob.id) })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        action_taken: false,
        action_taken_at: null,
        category: 'other',
        comment: '',
        forwarded: false,
        created_at: clock.now().toISOString(),
        status_ids: [],
        collection_ids: [],
        rule_ids: null,
        target_account: { id: String(bob.id), username: bob.username },
      },
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    expect(answer.costs.rowsWritten).toBeLessThanOrEqual(6)
    expect(await kept(bob)).toMatchObject([
      { id: Number(Report.parse(answer.body).id), accountId: alice.id, actionTakenAt: null },
    ])
  })

  it('stores comment, category and its statuses', async () => {
    const [alice, bob] = await twoPeople()
    const [one, two] = [await given.status({ by: bob }), await given.status({ by: bob })]
    const comment = '🐦'.repeat(1_000)
    const status_ids = [two.id, one.id]
    for (const category of ['spam', 'legal', 'other']) {
      const { body } = await report(alice, { account_id: bob.id, category, comment, status_ids })
      expect(body).toMatchObject({ category, comment, status_ids })
    }
  })

  it('merges further reports of the same reporter while the report is unresolved', async () => {
    const [alice, bob] = await twoPeople()
    const [one, two] = [await given.status({ by: bob }), await given.status({ by: bob })]
    const first = await report(alice, { account_id: bob.id, comment: 'Rude', status_ids: [one.id] })
    const again = await report(alice, {
      account_id: bob.id,
      comment: 'Spam',
      category: 'spam',
      status_ids: [two.id],
    })
    const { id } = Report.parse(first.body)
    expect(again.costs.trips).toBeLessThanOrEqual(4)
    expect(again.body).toMatchObject({
      id,
      comment: 'Rude\n\nSpam',
      category: 'spam',
      status_ids: [one.id, two.id],
    })
    await report(alice, { account_id: bob.id, comment: 'Spam' })
    await report(await given.account(), { account_id: bob.id, comment: 'Mine' })
    const stored = await kept(bob)
    expect(stored.map(({ comment }) => comment)).toEqual(['Rude\n\nSpam', 'Mine'])
    const evidence = await context()
      .db.select()
      .from(moderationEvidence)
      .where(eq(moderationEvidence.reportId, Number(id)))
    expect(evidence.map(({ statusId }) => String(statusId))).toEqual([one.id, two.id])
  })

  it('creates another report once the earlier one is resolved, or beyond its limits', async () => {
    const [alice, bob] = await twoPeople()
    await report(alice, { account_id: bob.id, comment: 'Rude' })
    await resolveReport(context(), operator, (await kept(bob))[0]?.id ?? 0)
    await report(alice, { account_id: bob.id, comment: 'Still rude' })
    for (let count = 0; count < 10; count += 1)
      await report(alice, { account_id: bob.id, comment: `${count}${'x'.repeat(999)}` })
    const lengths = (await kept(bob)).map(({ comment }) => comment.length)
    expect(lengths).toHaveLength(3)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(10_000)
  })

  it('accepts a form as well', async () => {
    const [alice, bob] = await twoPeople()
    const { id } = await given.status({ by: bob })
    const form = new URLSearchParams({ account_id: String(bob.id), comment: 'rude', category: '' })
    form.append('status_ids[]', id)
    const answer = await as(alice).post(path, form)
    expect(answer.body).toMatchObject({ comment: 'rude', category: 'other', status_ids: [id] })
  })

  it('rule_ids given → category violation [T-460]', async () => {
    const [alice, bob] = await twoPeople()
    await saveRules(context(), operator, [
      { text: 'Be kind', hint: '' },
      { text: 'No ads', hint: '' },
    ])
    const rule_ids = (await execute(context().db, loadRules(context()))).map(({ id }) => String(id))
    const { body } = await report(alice, { account_id: bob.id, category: 'spam', rule_ids })
    expect(body).toMatchObject({ category: 'violation', rule_ids })
    const invalid = { error: 'Validation failed: Rule ids does not reference valid rules' }
    for (const wrong of [{ rule_ids: ['7'] }, { rule_ids: [...rule_ids, '7'] }, { category: 'violation' }])
      expect(await report(alice, { account_id: bob.id, ...wrong })).toMatchObject({
        status: 422,
        body: invalid,
      })
  })

  it('comment over 1000 → 422, and so are an unknown category and too many statuses [T-461]', async () => {
    const [alice, bob] = await twoPeople()
    const account_id = bob.id
    const long = await report(alice, { account_id, comment: 'x'.repeat(1_001) })
    expect(long).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Comment is too long (maximum is 1000 characters)' },
    })
    expect((await report(alice, { account_id, category: 'nonsense' })).status).toBe(422)
    const many = Array.from({ length: 101 }, (_, index) => index + 1)
    for (const list of ['status_ids', 'collection_ids'])
      expect((await report(alice, { account_id, [list]: many })).status).toBe(422)
    expect(await kept(bob)).toEqual([])
  })

  it('unknown account → 404, suspended and unconfirmed ones too [T-462]', async () => {
    const alice = await given.account()
    const suspended = await given.account({ suspendedAt: clock.now() })
    const ghost = await given.account({ user: { confirmedAt: null } })
    for (const account_id of [undefined, '', 'x', '7', '-99', suspended.id, ghost.id])
      expect(await report(alice, { account_id })).toMatchObject({
        status: 404,
        body: { error: 'Record not found' },
      })
  })

  it('status_ids not of that account → 404, hidden ones too [T-463]', async () => {
    const [alice, bob] = await twoPeople()
    const carol = await given.account()
    const fine = await given.status({ by: bob })
    const wrong = [
      await given.status({ by: carol }),
      await given.status({ by: bob, visibility: 'private' }),
      await given.status({ by: bob, visibility: 'direct', text: `@${carol.username}` }),
      { id: '7' },
      { id: 'x' },
    ]
    for (const { id } of wrong)
      expect((await report(alice, { account_id: bob.id, status_ids: [fine.id, id] })).status).toBe(404)
    expect(await kept(bob)).toEqual([])
  })

  it('accepts collections of that account, and no others', async () => {
    const [alice, bob] = await twoPeople()
    const [own, other] = [await storedCollection({ by: bob }), await storedCollection({ by: alice })]
    const collection_ids = [String(own.id)]
    const answer = await report(alice, { account_id: bob.id, collection_ids })
    expect(answer.body).toMatchObject({ collection_ids })
    for (const id of [other.id, 7])
      expect((await report(alice, { account_id: bob.id, collection_ids: [own.id, id] })).status).toBe(404)
    await relation.block(bob, alice)
    expect((await report(alice, { account_id: bob.id, collection_ids })).status).toBe(404)
  })

  it('a report can name a status that only the reporter received', async () => {
    const [alice, bob] = await twoPeople()
    const { id } = await given.status({ by: bob, visibility: 'direct', text: `@${alice.username} nasty` })
    expect((await report(alice, { account_id: bob.id, status_ids: [id] })).body).toMatchObject({
      status_ids: [id],
    })
  })

  it('a report is open to accounts that the target blocks', async () => {
    const [alice, bob] = await twoPeople()
    await relation.block(bob, alice)
    expect((await report(alice, { account_id: bob.id })).status).toBe(200)
  })

  it('does not forward reports about local accounts', async () => {
    const [alice, bob] = await twoPeople()
    const forwarded = { forward: true, forward_to_domains: ['elsewhere.test'] }
    expect((await report(alice, { account_id: bob.id, ...forwarded })).body).toMatchObject({
      forwarded: false,
    })
  })

  it('counts against its own limit', async () => {
    const [alice, bob] = await twoPeople()
    const answer = await report(alice, { account_id: bob.id })
    expect(answer.headers.get('x-ratelimit-limit')).toBe('400')
  })

  it('requires a confirmed and approved account with the scope', async () => {
    const [alice, bob] = await twoPeople()
    const reader = await given.token({ accountId: alice.id, scopes: 'read write:statuses' })
    expect((await as(reader).post(path, { account_id: bob.id })).status).toBe(403)
    await context().db.update(users).set({ approved: false }).where(eq(users.accountId, alice.id))
    expect((await report(alice, { account_id: bob.id })).status).toBe(403)
  })
})
