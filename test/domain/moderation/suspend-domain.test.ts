import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { findSuspensions } from '../../../src/domain/moderation/find-limits'
import { liftLimit, limitDomain } from '../../../src/domain/moderation/limit-domain'
import { continueSuspension, resumeSuspensions } from '../../../src/domain/moderation/suspend-domain'
import { operator as byOperator } from '../../../src/domain/policy/permissions'
import type { Job } from '../../../src/messages/jobs'
import type { Ctx } from '../../../src/ports/ctx'
import { countingDb } from '../../support/costs'
import { freshName } from '../../support/given'
import { asInvocation } from '../../support/invocations'
import { clock, context, settleLateWork } from '../../support/test-app'

const people = 20
/** On a database of their own, so that no other test meets thousands of accounts. */
const db = env.APART

beforeAll(async () => {
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  const now = clock.now().getTime()
  await db.batch([
    db.prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people})
      insert into accounts (id, username, followers_count, following_count, created_at, updated_at)
      select i, 'person' || i, 100000, 100000, ${now}, ${now} from n`),
    db.prepare(`insert into users (account_id, email, password_hash, confirmed_at, created_at)
      select id, id || '@mail.test', '', ${now}, ${now} from accounts where domain is null`),
  ])
})

let blocks = 0

/** A host of `count` accounts, every fourth on a subdomain: half of them follow somebody, the others are followed. */
async function host(count: number) {
  const domain = `${freshName('host')}.test`
  const now = clock.now().getTime()
  blocks += 1
  const from = blocks * 1_000_000
  const each = `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) n`
  await db.batch([
    db.prepare(`insert into accounts (id, username, domain, uri, followers_count, following_count, created_at, updated_at)
      select ${from} + n.i, 'u' || n.i, iif(n.i % 4 = 3, 'sub.', '') || '${domain}', 'https://${domain}/' || n.i,
        1, 1, ${now}, ${now} from ${each}`),
    db.prepare(`insert into follows (id, account_id, target_account_id, created_at)
      select ${from} + n.i, ${from} + n.i, 1 + n.i / 2 % ${people}, ${now} from ${each} where n.i % 2 = 0`),
    db.prepare(`insert into follows (id, account_id, target_account_id, created_at)
      select ${from} + n.i, 1 + n.i / 2 % ${people}, ${from} + n.i, ${now} from ${each} where n.i % 2 = 1`),
  ])
  const figure = async (query: string) => (await db.prepare(query).first<{ n: number }>())?.n
  const theirs = `select id from accounts where domain in ('${domain}', 'sub.${domain}')`
  return {
    domain,
    suspended: () =>
      figure(`select count(*) n from accounts where id in (${theirs}) and suspended_at is not null`),
    follows: () =>
      figure(
        `select count(*) n from follows where account_id in (${theirs}) or target_account_id in (${theirs})`,
      ),
    severed: async () =>
      (
        await db
          .prepare(
            `select s.account_id, s.followers_count, s.following_count,
              (select count(*) from notifications where account_id = s.account_id and type = 'severed_relationships'
                and subject_id = e.id) as notices
            from severance_events e cross join account_severances s on s.event_id = e.id where e.target = '${domain}'
            order by 1`,
          )
          .all()
      ).results,
    inProgress: () => figure(`select count(*) n from domain_suspensions where domain = '${domain}'`),
  }
}

const counters = async () =>
  (
    await db
      .prepare('select followers_count, following_count from accounts where domain is null order by id')
      .all<{ followers_count: number; following_count: number }>()
  ).results

/** Moderator who limits servers, each act and each job in an invocation of its own. */
function operator() {
  const counted = countingDb(db)
  const jobs: Job[] = []
  const invoke = <T>(name: string, run: (ctx: Ctx) => Promise<T>): Promise<T> =>
    asInvocation(name, () => run(context({ jobs: { send: async (job) => void jobs.push(job) } }, counted.db)))
  return {
    jobs,
    invoke,
    costs: counted.read,
    suspend: (domain: string) =>
      invoke('suspend', (ctx) => limitDomain(ctx, byOperator, domain, { severity: 'suspend' })),
    lift: (domain: string) => invoke('lift', (ctx) => liftLimit(ctx, byOperator, domain)),
    /** Runs the jobs that go on with suspensions, and those that they put there. */
    async work() {
      for (await settleLateWork(); jobs.length > 0; await settleLateWork())
        for (const job of jobs.splice(0))
          if (job.kind === 'continue-suspension')
            await invoke(job.kind, (ctx) => continueSuspension(ctx, job.domain))
    },
  }
}

describe('the suspension of a server', () => {
  it('suspends a server of 6,000 accounts in parts, and reads at most 40 rows per affected account', async () => {
    const [there, { invoke, suspend, jobs, costs, work }] = [await host(6_000), operator()]
    const before = await counters()
    await suspend(there.domain)
    const { suspensions } = await invoke('list', (ctx) => execute(ctx.db, findSuspensions(ctx, '')))
    expect(suspensions).toContainEqual({ domain: there.domain, accountsDone: 300, accountsCount: 6_000 })
    expect(jobs).toContainEqual({ kind: 'continue-suspension', domain: there.domain })
    await work()
    const { rowsRead } = costs()

    expect(rowsRead).toBeLessThanOrEqual(40 * (6_000 + people))
    expect(await there.suspended()).toBe(6_000)
    expect(await there.follows()).toBe(0)
    expect(await there.inProgress()).toBe(0)
    const lost = 6_000 / 2 / people
    expect(await there.severed()).toEqual(
      Array.from({ length: people }, (_, index) => ({
        account_id: index + 1,
        followers_count: lost,
        following_count: lost,
        notices: 1,
      })),
    )
    expect(await counters()).toEqual(
      before.map(({ followers_count, following_count }) => ({
        followers_count: followers_count - lost,
        following_count: following_count - lost,
      })),
    )
  })

  it('the suspension of a server has the same result where every run happens twice at once', async () => {
    const [there, { invoke, suspend, jobs }] = [await host(800), operator()]
    const before = await counters()
    await suspend(there.domain)
    const proceed = () => invoke('continue', (ctx) => continueSuspension(ctx, there.domain))
    for (jobs.length = 0; (await there.inProgress()) === 1; ) await Promise.all([proceed(), proceed()])
    expect(await there.follows()).toBe(0)
    expect((await there.severed()).map(({ followers_count, notices }) => [followers_count, notices])).toEqual(
      Array.from({ length: people }, () => [20, 1]),
    )
    expect(
      (await counters()).map((now, at) => (before[at]?.followers_count ?? 0) - now.followers_count),
    ).toEqual(Array.from({ length: people }, () => 20))
  })

  it('stops where the limit is lifted, and restores accounts suspended so far', async () => {
    const [there, { suspend, lift, work }] = [await host(800), operator()]
    await suspend(there.domain)
    expect(await there.suspended()).toBe(300)
    await lift(there.domain)
    await work()
    expect(await there.suspended()).toBe(0)
    expect(await there.follows()).toBe(500)
  })

  it('keeps all accounts suspended where the same limit is created again', async () => {
    const [there, { invoke, suspend, lift, work }] = [await host(800), operator()]
    await suspend(there.domain)
    clock.advance(1_000)
    await invoke('comment', (ctx) =>
      limitDomain(ctx, byOperator, there.domain, { severity: 'suspend', publicComment: 'Spam' }),
    )
    await work()
    expect(await there.suspended()).toBe(800)
    expect((await there.severed()).map(({ followers_count, notices }) => [followers_count, notices])).toEqual(
      Array.from({ length: people }, () => [20, 1]),
    )
    await lift(there.domain)
    expect(await there.suspended()).toBe(0)
  })

  it('resumes where its job was lost', async () => {
    const [there, { invoke, suspend, jobs, work }] = [await host(700), operator()]
    await suspend(there.domain)
    jobs.length = 0
    await invoke('resume', resumeSuspensions)
    expect(jobs).toEqual([])
    clock.advance(11 * 60_000)
    await invoke('resume', resumeSuspensions)
    expect(jobs).toEqual([{ kind: 'continue-suspension', domain: there.domain }])
    await work()
    expect(await there.suspended()).toBe(700)
  })

  it('ends the follows of an account with more followers than one part can end', async () => {
    const [there, { suspend, work }] = [await host(1), operator()]
    const now = clock.now().getTime()
    const [id] = await context({}, db).db.all<{ id: number }>(
      sql`select id from accounts where domain = ${there.domain}`,
    )
    await db.batch([
      db.prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
        insert into accounts (id, username, following_count, created_at, updated_at)
        select 500000 + i, 'fan' || i, 1, ${now}, ${now} from n`),
      db.prepare(`insert into follows (id, account_id, target_account_id, created_at)
        select 900000000 + id, id, ${id?.id}, ${now} from accounts where id > 500000 and domain is null`),
    ])
    await suspend(there.domain)
    await work()
    expect(await there.follows()).toBe(0)
    expect(await there.inProgress()).toBe(0)
    await db.prepare('delete from accounts where id > 500000 and domain is null').run()
  })
})
