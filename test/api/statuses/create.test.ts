import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { accounts, activityWeeks, counters } from '../../../src/db/schema'
import { weekOf } from '../../../src/lib/days'
import { as, type TestResponse } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedUpload } from '../../support/given-upload'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/statuses'
const parsed = (answer: TestResponse) => Status.parse(answer.body)

describe('POST statuses', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it('returns the status, and the limits of the statuses family [T-520]', async () => {
    const answer = await as(alice).post(path, { status: 'Hello\n\nWorld' })
    expect(answer.status).toBe(200)
    expect(parsed(answer)).toMatchObject({
      content: '<p>Hello</p><p>World</p>',
      visibility: 'public',
      language: 'en',
      sensitive: false,
      spoiler_text: '',
      in_reply_to_id: null,
      reblog: null,
      application: { name: 'Test app' },
    })
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('300')
    expect(Number(answer.headers.get('X-RateLimit-Remaining'))).toBeLessThan(300)
    expect(answer.headers.get('X-RateLimit-Reset')).toMatch(/T.*\.\d{6}Z$/)
  })

  it('accepts JSON, a form and multipart alike [T-521]', async () => {
    const form = new FormData()
    form.set('status', 'As parts')
    const answers = [
      await as(alice).post(path, { status: 'As JSON', sensitive: true }),
      await as(alice).post(path, new URLSearchParams({ status: 'As form', sensitive: 'true', language: '' })),
      await as(alice).post(path, form),
    ]
    expect(answers.map((answer) => parsed(answer).content)).toEqual([
      '<p>As JSON</p>',
      '<p>As form</p>',
      '<p>As parts</p>',
    ])
    expect(answers.map((answer) => parsed(answer).sensitive)).toEqual([true, true, false])
  })

  it('a status without text, media and poll is 422, with rate limit headers [T-522]', async () => {
    for (const body of [
      {},
      { status: '' },
      { status: ' \n ' },
      { status: null, media_ids: [], poll: null },
    ]) {
      const answer = await as(alice).post(path, body)
      expect(answer).toMatchObject({
        status: 422,
        body: { error: "Validation failed: Text can't be blank" },
      })
      expect(answer.headers.get('X-RateLimit-Limit')).toBe('300')
      expect(answer.headers.get('X-RateLimit-Remaining')).not.toBeNull()
    }
  })

  it('posting beyond the limit of the family is 429 [T-523]', async () => {
    const busy = await given.account()
    const { throttle } = context()
    for (let index = 0; index < 300; index += 1) await throttle.take('statuses', String(busy.id))
    const answer = await as(busy).post(path, { status: 'One more' })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0')
  })

  it('enters the home feeds of its author and of local followers [T-524]', async () => {
    const [author, fan, stranger] = [await given.account(), await given.account(), await given.account()]
    const far = await given.remoteAccount()
    await relation.follow(fan, author)
    await relation.follow(far, author)
    const { id } = await given.status({ by: author })
    const home = async (who: TestAccount) => idsOf(await as(who).get('/api/v1/timelines/home'))
    expect(await home(author)).toEqual([id])
    expect(await home(fan)).toEqual([id])
    expect(await home(stranger)).toEqual([])
    const entries = await context().db.all(
      sql`select account_id from home_entries where status_id = ${Number(id)} and account_id = ${far.id}`,
    )
    expect(entries).toEqual([])
  })

  it('counts for its author, the server and the week; a direct one counts nowhere', async () => {
    const author = await given.account()
    const { db } = context()
    const figures = async () => {
      const [row] = await db.select().from(accounts).where(eq(accounts.id, author.id))
      const [server] = await db.select().from(counters).where(eq(counters.name, 'statuses'))
      const [week] = await db
        .select()
        .from(activityWeeks)
        .where(eq(activityWeeks.week, weekOf(clock.now())))
      return [row?.statusesCount ?? 0, server?.value ?? 0, week?.statuses ?? 0]
    }
    const [own = 0, server = 0, week = 0] = await figures()
    await given.status({ by: author })
    expect(await figures()).toEqual([own + 1, server + 1, week + 1])
    await given.status({ by: author, visibility: 'private' })
    expect(await figures()).toEqual([own + 2, server + 2, week + 1])
    await given.status({ by: author, visibility: 'direct' })
    expect(await figures()).toEqual([own + 2, server + 2, week + 1])
  })

  it('posting stays within its budget: three round trips, 40 statements, 200 + 2L rows read, 12 + L written', async () => {
    const author = await given.account()
    const followers = 30
    for (let index = 0; index < followers; index += 1) await relation.follow(await given.account(), author)
    await given.status({ by: author })
    const { costs } = await as(author).post(path, { status: 'A plain status' })
    expect(costs.trips).toBeLessThanOrEqual(3)
    expect(costs.statements).toBeLessThanOrEqual(40)
    expect(costs.rowsRead).toBeLessThanOrEqual(200 + 2 * followers)
    expect(costs.rowsWritten).toBeLessThanOrEqual(12 + followers)
  })

  it('posting with mentions, hashtags, emojis, media and a parent stays within 40 statements and 200 rows', async () => {
    const [author, bob] = [await given.account(), await given.account()]
    const parent = await given.status({ by: bob })
    const media_ids = [await storedUpload(author), await storedUpload(author)]
    const there = await given.remoteAccount()
    const named = `@${bob.username} @${there.username}@${there.domain}`
    const status = `${named} #one #two :wren: https://example.org`
    const answer = await as(author).post(path, { status, media_ids, in_reply_to_id: parent.id })
    expect(answer.status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    expect(answer.costs.statements).toBeLessThanOrEqual(40)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(200)
  })
})
