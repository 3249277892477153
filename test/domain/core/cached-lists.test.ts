import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { execute } from '../../../src/db/query'
import { type CachedList, readCachedList, rebuildCachedLists } from '../../../src/domain/core/cached-lists'
import { peerDomains } from '../../../src/domain/instance/peers'
import { countingDb } from '../../support/costs'
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

describe('lists that are answered whole', () => {
  it('are whole and in order however long, and cost a row for some hundred entries', async () => {
    await rebuildCachedLists(context({}, db))
    const counted = countingDb(db)
    expect(await peers(counted.db)).toEqual(domains)
    expect(counted.read().rowsRead).toBeLessThan(50)
  })

  it('follow what they are made of, and are read as they are once they are short', async () => {
    await db.prepare("delete from instances where domain = 'p00000.kept.test'").run()
    await rebuildCachedLists(context({}, db))
    expect(await peers()).toEqual(domains.slice(1))
    await db.prepare("delete from instances where domain > 'p00010' and domain like 'p%.kept.test'").run()
    await rebuildCachedLists(context({}, db))
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

  it.each(Object.entries(filling))('%s read at most 1,900 rows, however long', async (name, statement) => {
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
      await rebuildCachedLists(context({}, db))
      const counted = countingDb(db)
      const entries = await execute(
        context({}, counted.db).db,
        readCachedList(context({}, db), list, z.unknown()),
      )
      expect(entries.length).toBeGreaterThanOrEqual(length)
      expect(counted.read().rowsRead).toBeLessThanOrEqual(1_900)
    }
  })
})
