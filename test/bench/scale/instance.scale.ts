import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { scaleOf } from '../../support/scale/figures'
import { cases } from './cases'
import type { CaseReport, StatementCosts, StatementReport } from './figures'
import { explain } from './meter'
import { tablesOf, type World, worldOf } from './world'

declare module 'vitest' {
  interface TaskMeta {
    /** Read by scripts/bench/scale/run.mjs out of the JSON report. */
    report?: CaseReport
    statements?: StatementReport
    tables?: readonly string[]
    planChanges?: readonly { readonly before: StatementCosts; readonly after: StatementCosts }[]
  }
}

let world: World
beforeAll(async () => {
  world = await worldOf(scaleOf(env.SCALE))
  if (env.STATISTICS === 'yes') await analyse()
})

// Each request leaves a timer for its next turn, of which a runtime has ten thousand.
afterEach(() => new Promise((resolve) => setTimeout(resolve, 0)))

/** Gives the query planner statistics of every table: 0x02 analyses, 0x10000 looks at all tables. */
async function analyse(): Promise<void> {
  await env.DB.prepare('pragma optimize(0x10002)').run()
}

for (const { name, measure } of cases)
  it(name, async ({ task }) => {
    const { costliest, ...measured } = await measure(world)
    task.meta.report = { ...measured, costliest: await explain(costliest) }
    expect(measured.failures).toEqual([])
  })

it('statements have plans', async ({ task }) => {
  task.meta.tables = await tablesOf(env.DB)
  task.meta.statements = await world.meter.statements()
  expect(task.meta.statements.length).toBeGreaterThan(100)
})

it('statements have plans that statistics change', async ({ task }) => {
  const before = await world.meter.statements()
  await analyse()
  const after = new Map((await world.meter.statements()).map((one) => [one.text, one]))
  task.meta.planChanges = before.flatMap((one) => {
    const now = after.get(one.text)
    const same = now === undefined || now.plan.join() === one.plan.join()
    return same ? [] : [{ before: one, after: now }]
  })
})
