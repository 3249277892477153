import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { createLimit, liftLimit } from '../../src/domain/moderation/limit-domain'
import { operator } from '../../src/domain/policy/permissions'
import { countingDb } from '../support/costs'
import { numbers } from '../support/crowded-database'
import { clock, context } from '../support/test-app'

const from = 71_000_000
const near = ['mid.test', 'a.mid.test', 'b.a.mid.test']
const alike = ['amid.test', 'mid.test.other', 'a.mid-test', 'mid-a.test', 'test', 'amid.test:3000']

/** Rows read by a limit of this severity among 3,000 other servers, and the domains whose accounts `column` marks. */
async function limit(severity: 'silence' | 'suspend', column: 'silenced_at' | 'suspended_at') {
  const counted = countingDb(env.DB)
  const ctx = context({ db: openDb(counted.db) })
  const { id } = await createLimit(ctx, operator, 'mid.test', { severity })
  const { rowsRead } = counted.read()
  const found = env.DB.prepare(`select domain from accounts where id >= ${from} and ${column} is not null`)
  const { results } = await found.all<{ domain: string }>()
  await liftLimit(context(), operator, id)
  return {
    rowsRead,
    marked: results.map(({ domain }) => domain).toSorted(),
    left: (await found.all()).results,
  }
}

it('limits of a server among 3,000 read 200 rows at most, and mark it and its subdomains only', async () => {
  const now = clock.now().getTime()
  await env.DB.prepare(`insert into accounts (id, username, domain, uri, created_at, updated_at)
    select ${from} + n.i, 'u' || n.i, 's' || n.i || '.crowd.test', 'https://crowd.test/' || n.i, ${now}, ${now}
    from ${numbers(3_000)}`).run()
  await env.DB.prepare(`insert into accounts (id, username, domain, uri, created_at, updated_at)
    select ${from} + 5000 + key, 'n' || key, value, 'https://near.test/' || key, ${now}, ${now} from json_each(?)`)
    .bind(JSON.stringify([...near, ...alike, ...near]))
    .run()
  const expected = [...near, ...near].toSorted()
  const silenced = await limit('silence', 'silenced_at')
  const suspended = await limit('suspend', 'suspended_at')
  expect([silenced.marked, suspended.marked]).toEqual([expected, expected])
  expect([silenced.left, suspended.left]).toEqual([[], []])
  expect(silenced.rowsRead).toBeLessThanOrEqual(200)
  expect(suspended.rowsRead).toBeLessThanOrEqual(300)
})
