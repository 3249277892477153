import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { ensureVapidKey, loadVapidKey } from '../../../src/domain/instance/keys'
import { context } from '../../support/test-app'

it('creates one push key for the instance, a point on P-256, and keeps it', async () => {
  const ctx = context()
  const [one, two] = await Promise.all([ensureVapidKey(ctx, null), ensureVapidKey(ctx, null)])
  const later = await ensureVapidKey(ctx, await execute(ctx.db, loadVapidKey(ctx)))
  expect(two).toBe(one)
  expect(later).toBe(one)
  expect(one).toMatch(/^B[\w-]{86}$/)
})

it('stores the private half of the push key encrypted', async () => {
  const pair = await context().vault.generatePushKeyPair()
  expect(pair.privateKey).toMatch(/^aesgcm2\$/)
})
