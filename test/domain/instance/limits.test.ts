import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { execute, openDb } from '../../../src/db/query'
import { findDomainLimit, mayContact } from '../../../src/domain/servers/limits'
import { countingDb } from '../../support/costs'
import { domainLimit } from '../../support/given-limit'
import { context } from '../../support/test-app'

const ctx = context()
const severityOf = async (domain: string) =>
  (await execute(ctx.db, findDomainLimit(ctx, domain)))?.severity ?? null

it('finds the limit on a domain and on its parent domain', async () => {
  await domainLimit('limited.example', 'silence')
  expect(await severityOf('limited.example')).toBe('silence')
  expect(await severityOf('a.b.limited.example')).toBe('silence')
  expect(await severityOf('Limited.Example:8443')).toBe('silence')
  expect(await severityOf('notlimited.example')).toBeNull()
  expect(await severityOf('limited.example.org')).toBeNull()
  expect(await severityOf('example')).toBeNull()
})

it('applies the strictest of several limits', async () => {
  await domainLimit('severe.example', 'suspend')
  await domainLimit('mild.severe.example', 'noop')
  expect(await severityOf('mild.severe.example')).toBe('suspend')
  expect(await execute(ctx.db, mayContact(ctx, 'mild.severe.example'))).toBe(false)
  expect(await execute(ctx.db, mayContact(ctx, 'other.example'))).toBe(true)
})

it('finds limits of hosts with any number of labels, with a row for each', async () => {
  const counted = countingDb(env.DB)
  const db = openDb(counted.db)
  expect(await execute(db, findDomainLimit(context({ db }), 'a.social.example'))).toBeNull()
  expect(counted.read().rowsRead).toBeLessThanOrEqual(6)
  expect(await severityOf(`${'a.'.repeat(100)}limited.example`)).toBe('silence')
})
