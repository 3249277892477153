import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { deleteOwnAccount } from '../../../src/domain/accounts/delete-own'
import { deleteRemoteAccount } from '../../../src/domain/accounts/delete-remote'
import { purgeAccount } from '../../../src/domain/cleanup/purge-account'
import type { Job } from '../../../src/messages/jobs'
import { countingDb } from '../../support/costs'
import { given } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { numbers, remoteMasses } from '../../support/masses'
import { runJob } from '../../support/run-job'
import { context, settleLateWork } from '../../support/test-app'

/** Writes so many statuses of an account, every third an answer to one of them, with a hashtag each. */
let made = 0

async function posts(account: number, count: number, local: boolean) {
  made += 1
  const from = 500_000_000_000 + made * 10_000_000
  await env.DB.batch([
    env.DB.prepare(
      `insert into tags (id, name, display_name, created_at) values (${from}, 't${from}', 'T', 0)`,
    ),
    env.DB.prepare(`insert into statuses (id, account_id, uri, local, visibility, conversation_id, tags, content, in_reply_to_id, created_at)
      select ${from} + n.i, ${account}, 'https://purged.test/' || (${from} + n.i), ${local ? 1 : 0}, 'public', ${from} + n.i,
        '[{"name":"t${from}","display":"T"}]', '<p>Hello ' || n.i || '</p>', iif(n.i % 3 = 2, ${from} + n.i - 1, null), 0
      from ${numbers(count)}`),
    env.DB.prepare(
      `insert into status_tags (tag_id, status_id) select ${from}, ${from} + n.i from ${numbers(count)}`,
    ),
    env.DB.prepare(
      `insert into favourites (id, account_id, status_id) select ${from} + n.i, ${account}, ${from} + n.i from ${numbers(count)}`,
    ),
  ])
}

async function left(account: number) {
  return env.DB.prepare(
    `select (select count(*) from statuses where account_id = ?1) as statuses,
      (select count(*) from favourites where account_id = ?1) as favourites,
      (select count(*) from status_tags t where not exists (select 1 from statuses where id = t.status_id)) as tags`,
  )
    .bind(account)
    .first()
}

async function purged(start: (ctx: ReturnType<typeof context>) => Promise<void>) {
  const counted = countingDb(env.DB)
  const jobs: Job[] = []
  const ctx = context({
    db: openDb(counted.db),
    jobs: { send: async (job) => void jobs.push(job) },
    couriers: { enqueue: async () => undefined, wake: async () => undefined },
  })
  await start(ctx)
  let ran = 0
  for (await settleLateWork(); jobs.length > 0; await settleLateWork())
    for (const job of jobs.splice(0)) {
      ran += 1
      if (ran > 200) throw new Error('endless')
      await runJob(ctx, job)
    }
  return { ...counted.read(), ran }
}

it('deletes a remote account at 35 rows per status, with its hashtag, parent and favourite', async () => {
  // Counts of the server include all of them.
  await env.DB.prepare('update status_counting set counted_before = 1000000000000').run()
  const cost = async (count: number) => {
    const { from } = await remoteMasses({ count: 1 })
    await posts(from, count, false)
    const costs = await purged((ctx) => deleteRemoteAccount(ctx, from))
    expect(await left(from)).toEqual({ statuses: 0, favourites: 0, tags: 0 })
    return costs
  }
  const [few, many] = [await cost(200), await cost(2_000)]
  expect(many.rowsRead).toBeLessThanOrEqual(11 * few.rowsRead)
  expect(many.rowsRead).toBeLessThanOrEqual(35 * 2_000)
})

it('deletes a member at 36 rows per status, with its hashtag, parent and favourite', async () => {
  const cost = async (count: number) => {
    const { id } = await given.account()
    await posts(id, count, true)
    const costs = await purged((ctx) => deleteOwnAccount(ctx, id))
    expect(await left(id)).toEqual({ statuses: 0, favourites: 0, tags: 0 })
    return costs
  }
  const [few, many] = [await cost(200), await cost(2_000)]
  expect(many.rowsRead).toBeLessThanOrEqual(11 * few.rowsRead)
  expect(many.rowsRead).toBeLessThanOrEqual(36 * 2_000)
})

it('subtracts from the count of its server only the statuses that it includes', async () => {
  await env.DB.prepare('update status_counting set counted_before = 1').run()
  const { from, domain } = await remoteMasses({ count: 1 })
  await posts(from, 250, false)
  await env.DB.batch([
    env.DB.prepare(`update status_counting set counted_before =
      (select min(id) from statuses where account_id = ?) + 130`).bind(from),
    env.DB.prepare(`insert into domain_changes values (?, 0, 0, 1000, 0, 0, 0, null)`).bind(`h0.${domain}`),
  ])
  await purged((ctx) => deleteRemoteAccount(ctx, from))
  const counted = env.DB.prepare(
    'select all_statuses from domain_days where domain = ? order by day desc',
  ).bind(`h0.${domain}`)
  expect(await counted.first('all_statuses')).toBe(870)
})

it('two runs that delete the same part delete and count it once', async () => {
  const [peer, author] = [await remoteMasses({ count: 1 }), await given.account()]
  const parent = await storedStatus({ accountId: author.id })
  await posts(peer.from, 150, false)
  await env.DB.batch([
    env.DB.prepare('update statuses set in_reply_to_id = ? where account_id = ?').bind(parent, peer.from),
    env.DB.prepare('update statuses set replies_count = 400 where id = ?').bind(parent),
  ])
  const run = () => purged((ctx) => purgeAccount(ctx, peer.from))
  await Promise.all([run(), run()])
  expect(await left(peer.from)).toEqual({ statuses: 0, favourites: 0, tags: 0 })
  const counted = env.DB.prepare('select replies_count from statuses where id = ?').bind(parent)
  expect(await counted.first('replies_count')).toBe(250)
})
