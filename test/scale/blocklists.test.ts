import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { exportLimits, importFile, previewImport } from '../../src/domain/moderation/blocklists/import-file'
import { approveChanges, previewReview, rejectChanges } from '../../src/domain/moderation/blocklists/review'
import { unsubscribe } from '../../src/domain/moderation/blocklists/subscribe'
import { createLimit, liftLimit, updateLimit } from '../../src/domain/moderation/limit-domain'
import { operator } from '../../src/domain/policy/permissions'
import type { Ctx } from '../../src/ports/ctx'
import { countingDb } from '../support/costs'
import { numbers } from '../support/crowded-database'
import { fakeQueue } from '../support/fake-queue'
import { jobsOf } from '../support/job-list'
import { rebuildLists } from '../support/rebuild-lists'
import { clock, context, settleLateWork } from '../support/test-app'

const db = env.APART
const mostRows = 2_000
const lists = [1, 2, 3, 4]

const name = (at: number) => `s${at}.limited.test`

async function fill(limits: number, servers: number) {
  const now = clock.now().getTime()
  const day = Math.floor(now / 86_400_000)
  await db.batch(
    [
      'delete from blocklists',
      'delete from domain_limits',
      'delete from instances',
      'delete from domain_days',
      `insert into domain_limits (domain, id, severity, private_comment, created_at)
        select 's' || n.i || '.limited.test', n.i, 'suspend', 'Secret', ${now} from ${numbers(limits)}`,
      `insert into instances (domain, created_at) select 's' || n.i || '.limited.test', ${now} from ${numbers(servers)}`,
      `insert into domain_days (domain, day, accounts, statuses, reports, follows, followers, all_accounts, all_statuses,
          all_reports, all_follows, all_followers)
        select 's' || n.i || '.limited.test', ${day}, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0 from ${numbers(servers)}`,
      ...lists.flatMap((list) => [
        `insert into blocklists (id, title, url, created_at) values (${list}, 'L', 'https://l.test/${list}', ${now})`,
        `insert into blocklist_entries (id, blocklist_id, domain, severity, reject_media, reject_reports, obfuscate,
            public_comment, change, state)
          select ${list * 10_000} + n.i, ${list}, 's' || n.i || '.limited.test', 'suspend', 1, 0, 0, '', 'change',
            'pending' from ${numbers(limits)}`,
      ]),
    ].map((text) => db.prepare(text)),
  )
  await rebuildLists(db)
}

const file = (limits: number) =>
  ['#domain,#severity', ...Array.from({ length: limits }, (_, at) => `${name(at)},silence`)].join('\n')

const acts = (limits: number): Readonly<Record<string, (ctx: Ctx) => Promise<unknown>>> => ({
  'the export': async (ctx) => expect((await exportLimits(ctx)).split('\n').length).toBeGreaterThan(limits),
  'the preview of a file': async (ctx) =>
    expect((await previewImport(ctx, file(limits))).conflicts).toHaveLength(limits),
  'the import of a file': (ctx) => importFile(ctx, operator, file(limits), { overwrite: true }),
  'a new limit': (ctx) => createLimit(ctx, operator, 'new.test', {}),
  'a changed limit': (ctx) => updateLimit(ctx, operator, 7, { rejectReports: true }),
  'a lifted limit': (ctx) => liftLimit(ctx, operator, 8),
  'the sum of a list': (ctx) => previewReview(ctx, 1),
  'the approval of a list': (ctx) => approveChanges(ctx, operator, 1, 'all'),
  'the rejection of a list': (ctx) => rejectChanges(ctx, operator, 2, 'all'),
  'the end of a list': (ctx) => unsubscribe(ctx, operator, 3, { lift: false }),
  'the end of a list with its limits': (ctx) => unsubscribe(ctx, operator, 4, { lift: true }),
})

beforeAll(() => applyD1Migrations(db, env.TEST_MIGRATIONS))

describe.each([
  // Lists that are read as they are, as long as these become.
  { limits: 890, servers: 199 },
  { limits: 3_000, servers: 3_000 },
])('an action on limits where there are $limits', ({ limits, servers }) => {
  beforeAll(() => fill(limits, servers))

  it.each(Object.entries(acts(limits)))('reads 2,000 rows at most: %s', async (_name, act) => {
    const counted = countingDb(db)
    await act(context({ db: openDb(counted.db) }))
    expect(counted.read().rowsRead).toBeLessThanOrEqual(mostRows)
  })
})

describe('decisions about a list that is too long for one request', () => {
  const stateOf = async (list: number) => {
    const found = db.prepare(
      'select state, count(*) as count from blocklist_entries where blocklist_id = ? group by 1',
    )
    return Object.fromEntries(
      (await found.bind(list).all<{ state: string; count: number }>()).results.map(({ state, count }) => [
        state,
        count,
      ]),
    )
  }

  /** Runs what an act queues, to the end. */
  async function run(act: (ctx: Ctx) => Promise<unknown>) {
    const queue = fakeQueue({ db: openDb(db) })
    await act(queue.ctx)
    return { first: { ...(await stateOf(1)) }, outcomes: await queue.work() }
  }

  beforeAll(() => fill(3_000, 50))

  it('decisions about a list that is too long for one request reach every change', async () => {
    const { first } = await run((ctx) => approveChanges(ctx, operator, 1, 'all'))
    expect(first).toEqual({ pending: 2_800, approved: 200 })
    expect(await stateOf(1)).toEqual({ applied: 3_000 })
    await run((ctx) => rejectChanges(ctx, operator, 2, 'all'))
    expect(await stateOf(2)).toEqual({ rejected: 3_000 })
  })
})

describe('the end of a subscription with 10,000 limits', () => {
  const lines = 10_000
  const rowsOf = (list: number) =>
    db
      .prepare(`select (select count(*) from blocklists where id = ?1) as lists,
        (select count(*) from blocklist_entries where blocklist_id = ?1) as entries,
        (select count(*) from domain_limits where blocklist_id = ?1) as held,
        (select count(*) from domain_limits) as limits`)
      .bind(list)
      .first()

  /** Ends list 1 beside list 2, with its jobs: each of them `times`, where several run at once. */
  async function end({ lift = false, times = 1 } = {}) {
    await fill(lines, 50)
    await db.batch(
      [
        `update blocklist_entries set state = 'applied' where blocklist_id = 1`,
        `update domain_limits set blocklist_id = 1 where id >= 1000`,
        `update domain_limits set blocklist_id = 2 where id >= 9000`,
      ].map((text) => db.prepare(text)),
    )
    const batches: number[] = []
    const counted = countingDb(db, (statements) =>
      batches.push(statements.reduce((sum, { rowsRead, rowsWritten }) => sum + rowsRead + rowsWritten, 0)),
    )
    const queue = jobsOf('apply-blocklist')
    const ctx = context({ db: openDb(counted.db), jobs: queue.jobs })
    await unsubscribe(ctx, operator, 1, { lift })
    const { rowsRead, rowsWritten } = counted.read()
    await settleLateWork()
    return { request: rowsRead + rowsWritten, work: () => queue.runAll(ctx, times), batches }
  }

  it.each([1, 2])('runs in parts, each %i times, and leaves all limits to moderators', async (times) => {
    const ended = await end({ times })
    expect(ended.request).toBeLessThanOrEqual(2_000)
    await ended.work()
    expect(await rowsOf(1)).toEqual({ lists: 0, entries: 0, held: 0, limits: lines })
    expect(await rowsOf(2)).toMatchObject({ lists: 1, entries: lines, held: 1_000 })
    expect(Math.max(...ended.batches)).toBeLessThanOrEqual(20_000)
  })

  it('runs in parts that lift its limits', async () => {
    const ended = await end({ lift: true })
    expect(ended.request).toBeLessThanOrEqual(2_000)
    await ended.work()
    expect(await rowsOf(1)).toEqual({ lists: 0, entries: 0, held: 0, limits: 2_000 })
    expect(Math.max(...ended.batches)).toBeLessThanOrEqual(20_000)
  })
})
