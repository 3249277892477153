import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given, type TestAccount } from '../support/given'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { markedInEveryWay, viralStatus } from '../support/given-viral'
import { followedByMasses, type Masses, numbers } from '../support/masses'
import { runJob } from '../support/run-job'
import { context, settleLateWork } from '../support/test-app'

/** Rows that one batch may read. */
const mostRows = 50_000

/** A member whom so many follow, who follows as many, and with as many rows of each other kind. */
async function crowded(count: number) {
  const owner = await given.account()
  const status = await viralStatus(owner, count)
  await markedInEveryWay(status)
  const { masses } = status
  await followedByMasses(owner, masses)
  const list = await storedList({ of: owner, members: [] })
  const accounts = `from accounts where id >= ${masses.from} and id < ${masses.from} + ${count}`
  const fill = (text: string) => env.DB.prepare(`insert into ${text} ${accounts}`)
  const own = owner.id
  await env.DB.batch([
    fill(`follows (id, account_id, target_account_id, created_at) select id + 4000000, ${own}, id, 0`),
    fill(`blocks (id, account_id, target_account_id, created_at) select id, ${own}, id, 0`),
    fill(`mutes (id, account_id, target_account_id, created_at) select id, ${own}, id, 0`),
    fill(`account_domain_blocks (id, account_id, domain) select id, ${own}, 'd' || id || '.test'`),
    fill(`account_notes (account_id, target_account_id, comment) select ${own}, id, 'x'`),
    fill(`list_accounts (id, list_id, owner_id, account_id) select id, ${list}, ${own}, id`),
    fill(`list_entries (list_id, status_id) select ${list}, id`),
    fill(`home_entries (account_id, status_id) select ${own}, id`),
    fill(`conversation_mutes (account_id, conversation_id) select ${own}, id`),
    fill(`conversations (account_id, id, conversation_id, participants, last_status_id)
      select ${own}, id, id, '[]', id`),
    env.DB.prepare(`update accounts set following_count = 1, followers_count = 1
      where id >= ${masses.from} and id < ${masses.from} + ${count}`),
  ])
  return { owner, masses }
}

function deletion(owner: TestAccount) {
  const batches: number[] = []
  const counted = countingDb(env.DB, (statements) =>
    batches.push(statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)),
  )
  const jobs: Job[] = []
  const ctx = context({
    db: openDb(counted.db),
    jobs: { send: async (job) => void (job.kind === 'purge-account-statuses' && jobs.push(job)) },
    couriers: { enqueue: async () => undefined, wake: async () => undefined },
  })
  return {
    batches,
    jobs,
    ctx,
    start: async () => {
      await deleteOwnAccount(ctx, owner.id)
      await settleLateWork()
    },
    work: async (most = Number.POSITIVE_INFINITY) => {
      for (let ran = 0; ran < most; ran += 1) {
        const job = jobs.shift()
        if (job === undefined) return
        await runJob(ctx, job)
      }
    },
    read: () => counted.read().rowsRead,
  }
}

const tables = [
  'statuses',
  'notifications',
  'follows',
  'blocks',
  'mutes',
  'account_domain_blocks',
  'account_notes',
  'lists',
  'home_entries',
  'conversation_mutes',
  'conversations',
] as const

/** Rows of the account that are left, and what the accounts around it still count. */
async function left(owner: TestAccount, { from, count }: Masses) {
  const own = tables.map((table) => `(select count(*) from ${table} where account_id = ?1)`)
  const found = await env.DB.prepare(`select ${own.join(' + ')}
      + (select count(*) from follows where target_account_id = ?1)
      + (select count(*) from list_accounts where owner_id = ?1) as rows,
      (select sum(following_count) from accounts where id >= ?2 and id < ?2 + ?3) as following,
      (select sum(followers_count) from accounts where id >= ?2 and id < ?2 + ?3) as followers`)
    .bind(owner.id, from, count)
    .first<Record<'rows' | 'following' | 'followers', number>>()
  return found
}

const nothing = { rows: 0, following: 0, followers: 0 }

describe('an account with very many followers, and a post with as many interactions', () => {
  it('an account with very many followers is deleted in batches below 50,000 rows, 140 rows for each follower with 22 rows: ten times as many read ten times as much', async () => {
    const cost = async (count: number) => {
      const { owner, masses } = await crowded(count)
      const run = deletion(owner)
      await run.start()
      await run.work()
      expect(await left(owner, masses)).toEqual(nothing)
      expect(Math.max(...run.batches)).toBeLessThanOrEqual(mostRows)
      return run.read()
    }
    const [few, many] = [await cost(500), await cost(5_000)]
    expect(many).toBeLessThanOrEqual(11 * few)
    expect(many).toBeLessThanOrEqual(140 * 5_000)
  })

  it('disappears for everybody at once, and is counted down once where parts run twice or concurrently', async () => {
    const { owner, masses } = await crowded(1_200)
    const reader = await given.account()
    await relation.follow(reader, owner)
    const run = deletion(owner)
    await run.start()
    expect((await left(owner, masses))?.rows).toBeGreaterThan(0)
    const following = await as(reader).get(`/api/v1/accounts/${reader.id}/following`)
    expect(following.body).toEqual([])
    const statuses = await as(reader).get(`/api/v1/accounts/${owner.id}/statuses`)
    expect(statuses.status === 404 || JSON.stringify(statuses.body) === '[]').toBe(true)
    const job: Job = { kind: 'purge-account-statuses', accountId: owner.id }
    for (let round = 0; round < 8; round += 1) await Promise.all([runJob(run.ctx, job), runJob(run.ctx, job)])
    await run.work()
    expect(await left(owner, masses)).toEqual(nothing)
  })
})

describe('an account with very many posts without interactions', () => {
  const cost = async (count: number, start: number) => {
    const owner = await given.account()
    const id = `${start} + n.i`
    await env.DB.prepare(`insert into statuses (id, account_id, uri, local, visibility, conversation_id, created_at)
      select ${id}, ${owner.id}, 'https://fieldfare.test/plain/' || (${id}), 1, 'public', ${id}, 1 from ${numbers(count)}`).run()
    const run = deletion(owner)
    await run.start()
    await run.work()
    const left = await env.DB.prepare('select id from statuses where account_id = ?').bind(owner.id).first()
    expect(left).toBeNull()
    return run.read()
  }

  it('deletes its posts at twenty rows each', async () => {
    const [few, many] = [await cost(500, 5_000_000_000), await cost(1_500, 6_000_000_000)]
    expect(many - few).toBeLessThanOrEqual(20 * 1_000)
  })
})
