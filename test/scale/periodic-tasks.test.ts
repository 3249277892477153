import { env } from 'cloudflare:workers'
import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { statementsPerTick } from '../../src/cron/schedule'
import { openDb } from '../../src/db/query'
import { isDayPruneDue, pruneDays } from '../../src/domain/metrics/daily-counters'
import { isResealingDue, resealSecrets } from '../../src/domain/secrets/reseal'
import { tasks } from '../../src/tasks'
import { countingDb } from '../support/costs'
import { crowdedDatabase } from '../support/crowded-database'
import { runDueTasks, runTasks } from '../support/run-tasks'
import { clock, context, settleLateWork } from '../support/test-app'

const db = env.CROWDED

beforeAll(async () => {
  await crowdedDatabase()
})

/** Costs of `work` and of the effects of what it commits; `queued` counts the jobs that it sends. */
async function costsOf(work: (ctx: ReturnType<typeof context>) => Promise<unknown>) {
  const counted = countingDb(db)
  let queued = 0
  const send = async () => {
    queued += 1
  }
  await work(context({ db: openDb(counted.db), jobs: { send } }, counted.db))
  await settleLateWork()
  return { ...counted.read(), queued }
}

async function isOne(condition: SQL): Promise<boolean> {
  const [row] = await openDb(db).all<{ holds: number }>(sql`select (${condition}) as holds`)
  return row?.holds === 1
}

describe('periodic tasks', () => {
  it.each(tasks.map((task) => [task.name, task] as const))(
    '%s: no more statements than declared, with much to do',
    async (_, task) => {
      const costs = await costsOf((ctx) => task.run(ctx))
      expect(costs.statements).toBeLessThanOrEqual(task.statements)
    },
  )

  it('issue 30 statements in a tick at most, whatever is due', async () => {
    const { statements, queued } = await costsOf((ctx) => runTasks(ctx, tasks))
    expect(statements).toBeLessThanOrEqual(statementsPerTick)
    expect(queued).toBeGreaterThan(1)
  })

  it('periodic tasks read 100,000 rows a day at most in 3,000 round trips without activity', async () => {
    await db.batch([
      db.prepare('update polls set closed_at = 1'),
      db.prepare('delete from search_stale'),
      db.prepare('delete from search_walks'),
      // A backup reads the whole database: test/domain/backups/run.test.ts holds the costs of its parts.
      db.prepare(
        `insert or replace into settings (key, value, updated_at) values ('instance.backups', 'false', 1)`,
      ),
      db.prepare('delete from backups'),
    ])
    // Trends have decayed after four days, and each task has run since.
    for (let passed = 0; passed < 4; passed += 1) {
      clock.advance(86_400_000)
      await costsOf((ctx) => Promise.all(tasks.map((task) => task.run(ctx))))
    }
    // Rows of single days are gone through once after news, by parts that follow each other in the queue.
    for (let parts = 0; (await isOne(isDayPruneDue())) && parts < 100; parts += 1) await costsOf(pruneDays)
    // A database is looked through once for what is encrypted under another secret.
    for (let parts = 0; (await isOne(isResealingDue(context()))) && parts < 100; parts += 1)
      await costsOf(resealSecrets)
    const day = { trips: 0, rowsRead: 0, rowsWritten: 0, queued: 0 }
    for (let minute = 0; minute < 1_440; minute += 1) {
      const tick = await costsOf((ctx) => runDueTasks(ctx, tasks, clock.now()))
      expect(tick.statements).toBeLessThanOrEqual(statementsPerTick)
      clock.advance(60_000)
      day.trips += tick.trips
      day.rowsRead += tick.rowsRead
      day.rowsWritten += tick.rowsWritten
      day.queued += tick.queued
    }
    expect(day.trips).toBeLessThanOrEqual(3_000)
    expect(day.rowsRead).toBeLessThanOrEqual(100_000)
    expect(day.rowsWritten).toBeLessThanOrEqual(1_000)
    expect(day.queued).toBe(0)
  })
})
