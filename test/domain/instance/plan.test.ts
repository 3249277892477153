import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Plan } from '../../../src/config'
import { execute, first, oneRow } from '../../../src/db/query'
import { choosePlan } from '../../../src/domain/instance/plan'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { backupInterval, loadPlan, loadSettings } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { pruneLimits } from '../../../src/domain/pruning/prune'
import { loadState } from '../../../src/domain/pruning/state'
import { readUsage } from '../../../src/domain/usage/read'
import { storeUsage } from '../../../src/domain/usage/store'
import { context } from '../../support/test-app'

const { db } = context()
const day = 86_400_000

/** Context of a server that was deployed with a plan, and what its usage port was told. */
function deployedWith(plan: Plan) {
  const noted: (Plan | null)[] = []
  const { config, usage } = context()
  const notePlan = (chosen: Plan | null) => void noted.push(chosen)
  return { noted, ctx: context({ config: { ...config, plan }, usage: { ...usage, notePlan } }) }
}

/** Behaviour of the server by the plan that counts. */
async function behaviour(ctx: ReturnType<typeof context>) {
  const interval = sql<number>`${backupInterval(ctx.config)}`.as('interval')
  const row = await execute(db, first(db.select({ interval }).from(oneRow)))
  const { state: _, settings } = await execute(db, loadState(ctx))
  return {
    plan: await execute(db, loadPlan(ctx)),
    pruneAbove: pruneLimits(ctx, settings).bytes,
    daysBetweenBackups: (row?.interval ?? 0) / day,
    quotaOfRows: (await readUsage(ctx)).quotas.find(({ name }) => name === 'rowsWritten')?.limit,
  }
}

const free = { plan: 'free', pruneAbove: 400_000_000, daysBetweenBackups: 7, quotaOfRows: 100_000 }
const paid = { plan: 'paid', pruneAbove: 8_000_000_000, daysBetweenBackups: 1, quotaOfRows: 50_000_000 }

const reset = () => saveSettings(context(), operator, { plan: null, backupDays: null })
beforeEach(reset)
afterEach(reset)

it('a server keeps to the plan of its deployment until another is chosen', async () => {
  expect(await behaviour(deployedWith('free').ctx)).toEqual(free)
  expect(await behaviour(deployedWith('paid').ctx)).toEqual(paid)
})

it('a chosen plan counts for pruning, backups and quotas without a deployment', async () => {
  const { ctx } = deployedWith('free')
  await choosePlan(ctx, operator, 'paid')
  expect(await behaviour(ctx)).toEqual(paid)
  await choosePlan(ctx, operator, 'free')
  expect(await behaviour(ctx)).toEqual(free)
  const other = deployedWith('paid').ctx
  await choosePlan(other, operator, 'free')
  expect(await behaviour(other)).toEqual(free)
})

it('the choice of the plan that a server was deployed with is not stored', async () => {
  const { ctx } = deployedWith('free')
  const stored = async () => (await execute(db, loadSettings(ctx))).plan
  await choosePlan(ctx, operator, 'paid')
  expect(await stored()).toBe('paid')
  await choosePlan(ctx, operator, 'free')
  expect(await stored()).toBeNull()
  expect(await behaviour(deployedWith('paid').ctx)).toEqual(paid)
})

it('a number of days between backups counts more than the plan', async () => {
  await saveSettings(context(), operator, { backupDays: 3 })
  const { ctx } = deployedWith('free')
  expect((await behaviour(ctx)).daysBetweenBackups).toBe(3)
})

it('the isolate that changes the plan knows at once, others when they store their counts', async () => {
  const one = deployedWith('free')
  await choosePlan(one.ctx, operator, 'paid')
  expect(one.noted).toEqual(['paid'])
  const other = deployedWith('free')
  other.ctx.usage.add('requests', 1)
  await storeUsage(other.ctx)
  expect(other.noted).toEqual(['paid'])
  await choosePlan(one.ctx, operator, 'free')
  other.ctx.usage.add('requests', 1)
  await storeUsage(other.ctx)
  expect(other.noted).toEqual(['paid', null])
})
