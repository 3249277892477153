import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { rebuildCachedLists } from '../../../src/domain/core/cached-lists'
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
})
