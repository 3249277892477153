import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { WrappedAnnualReports } from '../../src/contract/entities/annual-report'
import { accounts, annualReports, follows, statuses } from '../../src/db/schema'
import { archetypeOf, isSeason, stateOf } from '../../src/domain/annual-reports/find'
import { anonymous, as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { freshName, given, type TestAccount } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { runJob } from '../support/run-job'
import { clock, context, settleLateWork } from '../support/test-app'

const year = clock.now().getUTCFullYear()
const inSeason = new Date(Date.UTC(year, 11, 15, 12))
const path = `/api/v1/annual_reports/${year}`
const december = { overrides: { clock: { now: () => inSeason, sleep: () => clock.sleep() } } }
const at = (month: number, day = 1) => new Date(Date.UTC(year, month - 1, day, 12))

interface Written {
  readonly at?: Date
  readonly tag?: string
  readonly values?: Partial<typeof statuses.$inferInsert>
}

/** A status of another day than today. */
async function wrote(by: TestAccount, { at: day = at(3), tag, values = {} }: Written = {}): Promise<number> {
  const ctx = context()
  const id = ctx.ids.next(day)
  const tags = tag === undefined ? [] : [{ name: tag.toLowerCase(), display: tag }]
  await ctx.db.insert(statuses).values({
    id,
    accountId: by.id,
    local: true,
    visibility: 'public',
    content: '<p>Hello</p>',
    conversationId: id,
    createdAt: day,
    tags,
    ...values,
  })
  return id
}

async function gained(by: TestAccount, day: Date): Promise<void> {
  const { db, ids } = context()
  const { id } = await given.remoteAccount()
  await db
    .insert(follows)
    .values({ id: ids.next(day), accountId: id, targetAccountId: by.id, createdAt: day })
}

async function busy(count = 10): Promise<TestAccount> {
  const alice = await given.account()
  for (let index = 0; index < count; index += 1) await wrote(alice)
  return alice
}

const generate = (who: TestAccount) => as(who).post(`${path}/generate`, {}, december)
const state = async (who: TestAccount) => (await as(who).get(`${path}/state`, december)).body

/** Asks for the report, and does the job behind it. */
async function reported(who: TestAccount) {
  expect((await generate(who)).status).toBe(202)
  await settleLateWork()
  const ctx = context(december.overrides)
  expect((await runJob(ctx, { kind: 'generate-annual-report', accountId: who.id, year })).kind).toBe('done')
  const { annual_reports: reports } = WrappedAnnualReports.parse((await as(who).get(path)).body)
  const [report] = reports
  if (report === undefined) throw new Error('there is no report')
  return report
}

describe('GET /api/v1/annual_reports/:year/state', () => {
  it.each([
    ['available', { generated: true, requestedAt: inSeason, statuses: 0 }, at(1)],
    ['generating', { generated: false, requestedAt: inSeason, statuses: 10 }, inSeason],
    ['eligible', { generated: false, requestedAt: at(12, 14), statuses: 10 }, inSeason],
    ['eligible', { generated: false, requestedAt: null, statuses: 10 }, at(12, 10)],
    ['ineligible', { generated: false, requestedAt: null, statuses: 9 }, inSeason],
    ['ineligible', { generated: false, requestedAt: null, statuses: 10 }, at(12, 9)],
    ['ineligible', { generated: false, requestedAt: null, statuses: 10 }, at(13, 1)],
  ] as const)('the state is %s for %o', (expected, facts, now) => {
    expect(stateOf(year, facts, now)).toBe(expected)
  })

  it('changes from ineligible through eligible and generating to available [T-237]', async () => {
    const alice = await busy(9)
    expect(await state(alice)).toEqual({ state: 'ineligible' })
    await wrote(alice, { values: { visibility: 'direct' } })
    await wrote(alice, { at: new Date(Date.UTC(year - 1, 11, 31, 23)) })
    expect(await state(alice)).toEqual({ state: 'ineligible' })
    expect((await generate(alice)).status).toBe(200)
    await wrote(alice)
    expect(await state(alice)).toEqual({ state: 'eligible' })
    expect((await as(alice).get(path)).status).toBe(404)
    const asked = await generate(alice)
    expect(asked).toMatchObject({ status: 202, body: {} })
    const id = /id="([^"]+)"/.exec(asked.headers.get('mastodon-async-refresh') ?? '')?.[1] ?? ''
    const refresh = async () => (await as(alice).get(`/api/v1_alpha/async_refreshes/${id}`, december)).body
    expect(await refresh()).toMatchObject({ async_refresh: { status: 'running' } })
    expect(await state(alice)).toEqual({ state: 'generating' })
    expect((await generate(alice)).status).toBe(202)
    expect((await as(alice).get(path)).status).toBe(404)
    await runJob(context(december.overrides), { kind: 'generate-annual-report', accountId: alice.id, year })
    expect(await state(alice)).toEqual({ state: 'available' })
    expect(await refresh()).toMatchObject({ async_refresh: { status: 'finished', result_count: 1 } })
    expect((await generate(alice)).status).toBe(200)
  })

  it('starts on the tenth of December and ends with the year', () => {
    expect([at(12, 9), at(12, 10), at(12, 31), at(13, 1)].map((now) => isSeason(year, now))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(isSeason(year - 1, inSeason)).toBe(false)
  })
})

describe('the report of a year', () => {
  let alice: TestAccount
  let loved: number
  const tag = freshName('Heron')
  beforeAll(async () => {
    alice = await busy(10)
    await wrote(alice, { at: at(5), tag })
    loved = await wrote(alice, { at: at(5, 2), tag, values: { reblogsCount: 7, visibility: 'unlisted' } })
    await wrote(alice, { at: at(6), values: { reblogsCount: 900, visibility: 'private' }, tag: 'Secret' })
    for (let count = 0; count < 3; count += 1)
      await wrote(alice, { at: at(6), values: { reblogsCount: 901, localOnly: true }, tag: 'Here' })
    await wrote(alice, { at: at(7), values: { reblogsCount: 902, visibility: 'direct' }, tag: 'Secret' })
    const other = await storedStatus({ accountId: (await given.account()).id })
    await wrote(alice, { at: at(8), values: { reblogOfId: other, reblogsCount: 903 } })
    await wrote(alice, { at: new Date(Date.UTC(year - 1, 5, 1)), values: { reblogsCount: 904 }, tag })
    await gained(alice, at(2))
    await gained(alice, at(2, 3))
    await gained(alice, new Date(Date.UTC(year - 1, 1, 1)))
  })

  it('counts what the account wrote that year, and only shows private data to it', async () => {
    const report = await reported(alice)
    expect(report).toMatchObject({
      year,
      schema_version: 2,
      account_id: String(alice.id),
      data: {
        archetype: 'lurker',
        top_hashtags: [{ name: tag, count: 2 }],
        top_statuses: { by_reblogs: String(loved), by_favourites: null, by_replies: null },
      },
    })
    const series = report.data.time_series
    expect(series.map(({ month }) => month)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    expect(series.map(({ statuses: count }) => count)).toEqual([0, 0, 10, 0, 2, 4, 0, 1, 0, 0, 0, 0])
    expect(series.map(({ followers }) => followers)).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('the report of a year lists it with its account and status, and `state` of other accounts is their own [T-238]', async () => {
    const answer = await as(alice).get('/api/v1/annual_reports')
    const {
      annual_reports: reports,
      accounts: people,
      statuses: named,
    } = WrappedAnnualReports.parse(answer.body)
    expect(reports.map((report) => report.year)).toEqual([year])
    expect(people.map(({ id }) => id)).toEqual([String(alice.id)])
    expect(named.map(({ id }) => id)).toEqual([String(loved)])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    const bob = await given.account()
    expect((await as(bob).get('/api/v1/annual_reports')).body).toEqual({
      annual_reports: [],
      accounts: [],
      statuses: [],
    })
    for (const asked of ['', '/read'] as const) {
      const answered = asked === '' ? as(bob).get(path) : as(bob).post(`${path}${asked}`)
      expect((await answered).status).toBe(404)
    }
    expect((await as(alice).get('/api/v1/annual_reports/never')).status).toBe(404)
  })

  it('the report of a year marks it as read once [T-239]', async () => {
    expect(await as(alice).post(`${path}/read`)).toMatchObject({ status: 200, body: {} })
    expect((await as(alice).post(`${path}/read`)).status).toBe(200)
    const [row] = await context().db.select().from(annualReports).where(eq(annualReports.accountId, alice.id))
    expect(row?.viewedAt).not.toBeNull()
  })

  it('the report of a year has a page for readers with its address, and names no deleted status', async () => {
    const { annual_reports: reports } = WrappedAnnualReports.parse((await as(alice).get(path)).body)
    const shared = new URL(reports[0]?.share_url ?? '').pathname
    const page = await new Browser().get(shared)
    expect(page.status).toBe(200)
    for (const words of [`@${alice.username}@fieldfare.test`, '17', `#${tag}`, 'a lurker', 'Shared most'])
      expect(textOf(page.html)).toContain(words)
    expect(page.html).toContain('<meta name="robots" content="noindex"/>')
    expect((await new Browser().get(`${shared}x`)).status).toBe(404)
    const other = await given.account()
    const foreign = shared.replace(alice.username, other.username)
    expect((await new Browser().get(foreign)).status).toBe(404)
    await context().db.update(statuses).set({ visibility: 'direct' }).where(eq(statuses.id, loved))
    expect(textOf((await new Browser().get(shared)).html)).not.toContain('Shared most')
    await context().db.delete(statuses).where(eq(statuses.id, loved))
    const [without] = WrappedAnnualReports.parse((await as(alice).get(path)).body).annual_reports
    expect(without?.data.top_statuses.by_reblogs).toBeNull()
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    expect((await new Browser().get(shared)).status).toBe(410)
  })

  it('the report of a year anonymous → 401', async () => {
    for (const asked of ['/api/v1/annual_reports', path, `${path}/state`])
      expect((await anonymous.get(asked)).status).toBe(401)
  })
})

describe('the archetype', () => {
  it.each([
    ['lurker', { standalone: 99, replies: 0, reblogs: 0, polls: 50 }],
    ['booster', { standalone: 40, replies: 0, reblogs: 81, polls: 10 }],
    ['pollster', { standalone: 100, replies: 0, reblogs: 0, polls: 11 }],
    ['replier', { standalone: 40, replies: 81, reblogs: 0, polls: 0 }],
    ['oracle', { standalone: 100, replies: 0, reblogs: 0, polls: 0 }],
  ] as const)('the archetype is %s for %o', (expected, interactions) => {
    expect(archetypeOf(interactions)).toBe(expected)
  })
})
