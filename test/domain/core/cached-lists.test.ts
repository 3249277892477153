import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { execute } from '../../../src/db/query'
import { type CachedList, readCachedList, readWholeList } from '../../../src/domain/core/cached-lists'
import { peerDomains } from '../../../src/domain/servers/limits'
import type { Job } from '../../../src/messages/jobs'
import { countingDb } from '../../support/costs'
import { rebuildLists } from '../../support/rebuild-lists'
import { runJob } from '../../support/run-job'
import { clock, context } from '../../support/test-app'

const db = env.APART
const count = 2_345

/** The domains in their order. */
const domains = Array.from({ length: count }, (_, at) => `p${String(at).padStart(5, '0')}.kept.test`)

beforeAll(async () => {
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  await db
    .prepare('insert into instances (domain, created_at) select value, ? from json_each(?)')
    .bind(clock.now().getTime(), JSON.stringify(domains))
    .run()
})

const peers = async (binding = db) =>
  (await execute(context({}, binding).db, peerDomains(context({}, binding)))).filter((domain) =>
    domain.endsWith('.kept.test'),
  )

describe('lists that are returned completely', () => {
  it('returns the whole list in order however long, at a row per few hundred entries', async () => {
    await rebuildLists(db)
    const counted = countingDb(db)
    expect(await peers(counted.db)).toEqual(domains)
    expect(counted.read().rowsRead).toBeLessThan(50)
  })

  it('updates cached lists with their entries, and reads them directly once they are short', async () => {
    await db.prepare("delete from instances where domain = 'p00000.kept.test'").run()
    await rebuildLists(db)
    expect(await peers()).toEqual(domains.slice(1))
    await db.prepare("delete from instances where domain > 'p00010' and domain like 'p%.kept.test'").run()
    await rebuildLists(db)
    expect(await peers()).toEqual(domains.slice(1, 10))
    await db.prepare("delete from instances where domain = 'p00001.kept.test'").run()
    expect(await peers()).toEqual(domains.slice(2, 10))
  })

  /** Statements that fill a list with entries named by the JSON array `?1`. */
  const filling: Readonly<Record<CachedList, string>> = {
    peers: 'insert into instances (domain, created_at) select value, 0 from json_each(?1)',
    limits: `insert into domain_limits (domain, id, severity, created_at)
      select value, key, iif(key % 3, 'silence', 'suspend'), 0 from json_each(?1)
      union all select 'media.' || value, key + 1000000, 'none', 0 from json_each(?1)`,
    emojis: `insert into custom_emojis (id, shortcode, image, created_at)
      select key + 1, value, '{}', 0 from json_each(?1)`,
    networks: `insert into ip_blocks (id, ip, severity, created_at)
      select key + 1, value, 'no_access', 0 from json_each(?1)`,
  }

  it.each(Object.entries(filling))(
    'reading %s costs at most 1,900 rows, however long',
    async (name, statement) => {
      const list = z.enum(['peers', 'limits', 'emojis', 'networks']).parse(name)
      await db.prepare('delete from instances').run()
      let known = 0
      for (const length of [100, 400, 450, 600, 900, 950, 1_400]) {
        const added = domains.slice(known, length).map((domain, at) => ({ domain, at: known + at }))
        known = length
        await db
          .prepare(statement)
          .bind(JSON.stringify(Object.fromEntries(added.map(({ domain, at }) => [at, domain]))))
          .run()
        await rebuildLists(db)
        const counted = countingDb(db)
        const entries = await execute(
          context({}, counted.db).db,
          readCachedList(context({}, db), list, z.unknown()),
        )
        expect(entries.length).toBeGreaterThanOrEqual(length)
        expect(counted.read().rowsRead).toBeLessThanOrEqual(1_900)
      }
    },
  )

  /** Runs a rebuild of the limits as one invocation; returns the job that goes on, and the rows of its largest batch. */
  async function rebuild(job?: Job) {
    const jobs: Job[] = []
    let largest = 0
    const counted = countingDb(db, (batch) => {
      largest = Math.max(
        largest,
        batch.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      )
    })
    const ctx = context({ jobs: { send: async (sent) => void jobs.push(sent) } }, counted.db)
    await runJob(ctx, job ?? { kind: 'rebuild-cached-list', list: 'limits' })
    return { next: jobs[0], largest }
  }

  async function limits(count: number) {
    await db.exec('delete from domain_limits')
    await db.exec("delete from settings where key like 'kept.%' or key like 'building.%'")
    const names = Array.from({ length: count }, (_, at) => `l${String(at).padStart(5, '0')}.test`)
    await db
      .prepare(
        `insert into domain_limits (domain, id, severity, created_at) select value, key, 'silence', 0 from json_each(?)`,
      )
      .bind(JSON.stringify(names))
      .run()
    return names
  }

  const cached = async () => {
    const found = await execute(
      context({}, db).db,
      readCachedList(context({}, db), 'limits', z.tuple([z.string()]).rest(z.unknown())),
    )
    return found.map(([domain]) => domain)
  }
  const parts = async () =>
    (await db.prepare("select count(*) as n from settings where key like 'building.%'").first('n')) ?? null

  it('rebuilds the cache in parts by jobs that can run twice, and replaces it at once', async () => {
    const names = await limits(12_345)
    let [job, runs, most]: [Job | undefined, number, number] = [undefined, 0, 0]
    do {
      const { next, largest } = await rebuild(job)
      if (job !== undefined && next !== undefined) expect((await rebuild(job)).next).toEqual(next)
      if (next !== undefined) expect((await cached()).length).toBeLessThan(1_000)
      ;[job, runs, most] = [next, runs + 1, Math.max(most, largest)]
    } while (job !== undefined)
    expect(await cached()).toEqual(names)
    expect(await parts()).toBe(0)
    expect(runs).toBeGreaterThan(2)
    expect(most).toBeLessThan(3_000)
  })

  it('keeps the rebuild that started last, also where an earlier one continues after it', async () => {
    await limits(6_000)
    const { next: old } = await rebuild()
    await db.exec("delete from domain_limits where domain = 'l00003.test'")
    for (let { next } = await rebuild(); next !== undefined; ) ({ next } = await rebuild(next))
    for (let job = old; job !== undefined; ) ({ next: job } = await rebuild(job))
    const found = await cached()
    expect(found).toHaveLength(5_999)
    expect(found).not.toContain('l00003.test')
  })

  it('reads the whole list while its cache is missing', async () => {
    const names = await limits(4_500)
    const found = await readWholeList(context({}, db), 'limits', z.tuple([z.string()]).rest(z.unknown()))
    expect(found.map(([domain]) => domain)).toEqual(names)
  })
})
