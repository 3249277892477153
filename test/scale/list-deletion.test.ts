import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteList } from '../../src/domain/lists/edit'
import { listRemoval } from '../../src/domain/lists/remove-in-parts'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given } from '../support/given'
import { storedList } from '../support/given-list'
import { storedStatus } from '../support/given-stored'
import { remoteMasses } from '../support/masses'
import { runJob } from '../support/run-job'
import { context, settleLateWork } from '../support/test-app'

/** An exclusive list with so many followed members, and its deletion by its owner. */
async function longList(count: number) {
  const owner = await given.account()
  const { from } = await remoteMasses({ count, inboxes: 10 })
  const list = await storedList({ of: owner, exclusive: true })
  const members = `from accounts where id >= ${from} and id < ${from} + ${count}`
  const status = await storedStatus({ accountId: from })
  await env.DB.batch(
    [
      `insert into follows (id, account_id, target_account_id, created_at) select id, ${owner.id}, id, 0 ${members}`,
      `insert into list_accounts (id, list_id, owner_id, account_id) select id, ${list}, ${owner.id}, id ${members}`,
      `insert into list_entries (list_id, status_id) values (${list}, ${status})`,
    ].map((text) => env.DB.prepare(text)),
  )
  const batches: number[] = []
  const counted = countingDb(env.DB, (statements) =>
    batches.push(statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)),
  )
  const jobs: Job[] = []
  const ctx = () =>
    context(
      { jobs: { send: async (job) => void (job.kind === 'continue-long-task' && jobs.push(job)) } },
      counted.db,
    )
  return {
    owner,
    list,
    status,
    from,
    ctx,
    jobs,
    batches,
    read: () => counted.read().rowsRead,
    start: async () => {
      await deleteList(ctx(), owner, list)
      await settleLateWork()
    },
    work: async () => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await runJob(ctx(), job)
    },
    left: () =>
      env.DB.prepare(`select (select count(*) from lists where id = ?1) as lists,
        (select count(*) from list_accounts where list_id = ?1) as members,
        (select count(*) from list_entries where list_id = ?1) as entries`)
        .bind(list)
        .first(),
  }
}

const nothing = { lists: 0, members: 0, entries: 0 }

describe('a list with very many members', () => {
  it('a list with very many members is deleted in parts, the first of which reads 2,000 rows at most, at ten rows for each member', async () => {
    const place = await longList(3_500)
    await place.start()
    expect(place.read()).toBeLessThanOrEqual(2_000)
    await place.work()
    expect(await place.left()).toEqual(nothing)
    expect(Math.max(...place.batches)).toBeLessThanOrEqual(10_000)
    expect(place.read()).toBeLessThanOrEqual(10 * 3_500 + 2_000)
  })

  it('disappears for its owner at once, with its statuses back in home', async () => {
    const place = await longList(1_500)
    await place.start()
    const reader = as(place.owner)
    expect((await place.left())?.['members']).toBe(1_500)
    expect((await reader.get('/api/v1/lists')).body).toEqual([])
    expect((await reader.get(`/api/v1/accounts/${place.from}/lists`)).body).toEqual([])
    for (const path of [`/api/v1/lists/${place.list}`, `/api/v1/timelines/list/${place.list}`])
      expect((await reader.get(path)).status).toBe(404)
    const home = await reader.get('/api/v1/timelines/home')
    expect(JSON.stringify(home.body)).toContain(`"${place.status}"`)
    await place.work()
    expect(await place.left()).toEqual(nothing)
  })

  it('a list with very many members is deleted where a part was lost, repeated, or ran twice at once, and no other list is', async () => {
    const [place, other] = [await longList(2_500), await longList(200)]
    await place.start()
    place.jobs.length = 0
    await listRemoval.resumption.run(place.ctx())
    const job = listRemoval.job(place.list)
    expect(place.jobs).toEqual([job])
    await Promise.all([runJob(place.ctx(), job), runJob(place.ctx(), job)])
    await place.work()
    await runJob(place.ctx(), listRemoval.job(other.list))
    expect(await place.left()).toEqual(nothing)
    expect(await other.left()).toEqual({ lists: 1, members: 200, entries: 1 })
  })
})
