import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given, type TestAccount } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { viralStatus } from '../support/given-viral'
import { jobsOf } from '../support/job-list'
import { memberMasses, numbers } from '../support/masses'
import { runJob } from '../support/run-job'
import { clock, context } from '../support/test-app'

/** The servers of the accounts do not exist. */
const overrides = { couriers: { enqueue: async () => undefined, wake: async () => undefined } }

describe('the edit of a status that many servers reblogged', () => {
  it('reads 2,000 rows at most, and notifies local rebloggers', async () => {
    const [author, reader] = [await given.account(), await given.account()]
    const { id } = await viralStatus(author, 3_000)
    expect((await as(reader).post(`/api/v1/statuses/${id}/reblog`)).status).toBe(200)
    const { status, costs } = await as(author).put(
      `/api/v1/statuses/${id}`,
      { status: 'Else' },
      { overrides },
    )
    expect(status).toBe(200)
    expect(costs.rowsRead).toBeLessThanOrEqual(2_000)
    const { body } = await as(reader).get('/api/v1/notifications?types[]=update')
    expect(body).toMatchObject([{ type: 'update', status: { id: String(id) } }])
  })
})

/** A status that so many members reblogged, and as many quoted. */
async function reblogged(author: TestAccount, count: number) {
  const id = await storedStatus({ accountId: author.id })
  const from = await memberMasses(count)
  const at = clock.now().getTime()
  const status = `insert into statuses (id, account_id, local, visibility, conversation_id, created_at, reblog_of_id)`
  await env.DB.batch(
    [
      `${status} select ${from} + 2 * i, ${from} + i, 1, 'public', ${from} + 2 * i, ${at}, ${id} from ${numbers(count)}`,
      `${status} select ${from} + 2 * i + 1, ${from} + i, 1, 'public', ${from} + 2 * i + 1, ${at}, null from ${numbers(count)}`,
      `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, created_at)
        select ${from} + 2 * i + 1, ${from} + i, ${id}, ${author.id}, 'https://fieldfare.test/' || ${id}, 'accepted', ${at}
        from ${numbers(count)}`,
    ].map((text) => env.DB.prepare(text)),
  )
  const counted = countingDb(env.DB)
  const { jobs, waiting, runAll } = jobsOf('notify-of-edit')
  const ctx = context({ ...overrides, db: openDb(counted.db), jobs })
  return {
    edit: async (text: string) => {
      clock.advance(60_000)
      const options = { overrides: { ...overrides, jobs } }
      return as(author).put(`/api/v1/statuses/${id}`, { status: text }, options)
    },
    runAll: (times?: number) => runAll(ctx, times),
    run: (job: Job) => runJob(ctx, job),
    rowsRead: () => counted.read().rowsRead,
    waiting,
    newest: () =>
      env.DB.prepare('select max(id) as id from notifications where from_account_id = ?')
        .bind(author.id)
        .first('id'),
    /** Notifications by the author, of each kind, and how many of them were made since a time. */
    notified: async (since = 0) => {
      const { results } = await env.DB.prepare(
        `select type, count(*) as number, count(distinct account_id) as accounts, sum(created_at >= ?2) as since
        from notifications where from_account_id = ?1 group by type order by type`,
      )
        .bind(author.id, since)
        .all<Record<'type' | 'number' | 'accounts' | 'since', unknown>>()
      return results
    },
  }
}

describe('the edit of a status that very many members reblogged and quoted', () => {
  const each = (count: number) =>
    ['quoted_update', 'update'].map((type) => ({ type, number: count, accounts: count, since: count }))

  it('reads 2,000 rows at most, and notifies all of them once, in parts that can run twice', async () => {
    const place = await reblogged(await given.account(), 1_100)
    const { status, costs } = await place.edit('Else')
    expect(status).toBe(200)
    expect(costs.rowsRead).toBeLessThanOrEqual(2_000)
    const [first] = place.waiting
    expect(await place.runAll(2)).toBeGreaterThanOrEqual(6)
    expect(await place.notified()).toEqual(each(1_100))
    const ids = await place.newest()
    if (first !== undefined) await place.run(first)
    expect(await place.newest()).toEqual(ids)
    // Each notification is looked up among the browsers and the apps that are pushed to.
    expect(place.rowsRead()).toBeLessThanOrEqual(2 * 1_100 * 29)
  })

  it('leaves them one notification each, of the latest edit, whose parts end those of the previous one', async () => {
    const place = await reblogged(await given.account(), 450)
    await place.edit('Else')
    const [early] = [...place.waiting]
    await place.edit('Something else')
    const since = clock.now().getTime()
    expect(await place.runAll()).toBeGreaterThanOrEqual(3)
    expect(early).toBeDefined()
    expect(await place.notified(since)).toEqual(each(450))
  })
})
