import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { pruneDatabase } from '../../../src/domain/pruning/prune'
import { loadState } from '../../../src/domain/pruning/state'
import { presentPruning } from '../../../src/view/present/admin-maintenance'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { agedStatus, pruneAll } from '../../support/pruning'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/pruning'

it('shows no outcome of the last run that contradicts the current size or settings', async () => {
  await pruneDatabase(context())
  const { state } = await execute(context().db, loadState(context()))
  const outcome = (bytes: number, isOn = true) =>
    presentPruning({ state, limits: { bytes, rowsRead: 1, rowsWritten: 1 }, isOn }).outcome
  expect(outcome(state.bytes)).toBe('within budget')
  expect(outcome(state.bytes - 1)).toBe('above budget')
  expect(outcome(state.bytes - 1, false)).toBe('off')
  await context().db.run(sql`delete from settings where key = 'task.prune'`)
})

it('shows the size of the database, what was pruned and when, and what can be pruned', async () => {
  const admin = await givenStaff({ permissions: ['viewDashboard'] })
  expect((await as(await given.account()).get(path)).status).toBe(403)
  const first = await as(admin).get(path)
  expect(first.costs.trips).toBe(1)
  expect(first.body).toMatchObject({
    outcome: 'within budget',
    bytes: expect.any(Number),
    budget_bytes: 400_000_000,
    last_pruned_at: null,
    next_run_at: null,
    rows_a_day: { read: 1_000_000, written: 30_000 },
  })
  await agedStatus(100)
  const at = clock.now().toISOString()
  await pruneAll()
  await saveSettings(context(), operator, { databaseMegabytes: 200 })
  expect((await as(admin).get(path)).body).toMatchObject({
    outcome: 'nothing left',
    budget_bytes: 200_000_000,
    measured_at: clock.now().toISOString(),
    last_pruned_at: at,
    next_run_at: expect.any(String),
    pruned_today: { statuses: 1, accounts: 0 },
    pruned_in_total: { statuses: 1, accounts: 0 },
    rows_today: { read: expect.any(Number), written: 4 },
  })
})
