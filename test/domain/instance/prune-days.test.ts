import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDayPruneDue, pruneDays } from '../../../src/domain/metrics/daily-counters'
import { dayMilliseconds, dayOf } from '../../../src/lib/days'
import { tasks } from '../../../src/tasks'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { given } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { runTasks } from '../../support/run-tasks'
import { clock, context } from '../../support/test-app'

const { db } = context()
const servers = 130
const days = 40
const start = clock.now()

const task = tasks.filter(({ name }) => name === 'prune-days')
const isDue = async () => (await db.all<{ due: number }>(sql`select ${isDayPruneDue()} as due`))[0]?.due
const count = async (from: string) =>
  (await db.all<{ n: number }>(`select count(*) as n from ${from}`))[0]?.n ?? 0

/** Whole rounds, as the queue continues them. */
async function prune() {
  for (let parts = 0; (await isDue()) === 1; parts += 1) {
    expect(parts).toBeLessThan(10)
    const counted = countingDb(given.env.DB)
    await pruneDays(context({}, counted.db))
    expect(counted.read().statements).toBeLessThanOrEqual(task[0]?.statements ?? 0)
    expect(counted.read().rowsRead).toBeLessThanOrEqual(8_000)
  }
}

async function news(day: number, host: string) {
  await db.run(`insert into domain_changes values ('${host}', ${day}, 1, 2, 3, 4, 5, 'en')`)
}

describe('rows of single days', () => {
  let today: number
  beforeAll(async () => {
    clock.advance(1_000 * dayMilliseconds)
    today = dayOf(clock.now())
    await db.run(`with recursive days(day) as (select ${today - days} union all select day + 1 from days where day < ${today}),
      hosts(n) as (select 0 union all select n + 1 from hosts where n < ${servers - 1})
      insert into domain_changes select 's' || n || '.test', day, 1, 2, 3, 4, 5, 'en' from days cross join hosts
      where n < 100 or day < ${today - 20} order by day`)
    await db.run(`with recursive days(day) as (select ${today - days} union all select day + 1 from days where day < ${today})
      insert into active_days (day, users, sketch) select day, 5, hex(zeroblob(1024)) from days`)
  })
  afterAll(() => clock.set(start))

  it('deletes single days once they are merged into blocks, with unchanged figures and limit previews', async () => {
    const admin = await givenStaff({ permissions: ['viewDashboard', 'manageFederation'] })
    const range = {
      start_at: new Date((today - days) * dayMilliseconds).toISOString(),
      end_at: clock.now().toISOString(),
    }
    const figures = async () => [
      ...(await Promise.all(
        ['s0.test', 's120.test'].map((domain) =>
          as(admin).post('/api/v1/admin/measures', {
            keys: ['instance_accounts', 'instance_statuses', 'instance_reports', 'active_users'],
            instance_accounts: { domain },
            instance_statuses: { domain },
            instance_reports: { domain },
            ...range,
          }),
        ),
      )),
      await as(admin).post('/api/v1/admin/dimensions', { keys: ['servers', 'languages'], ...range }),
      await as(admin).get('/api/fieldfare/v1/admin/domain_blocks/preview?domain=s0.test'),
    ]
    const before = await figures()
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await count('domain_days')).toBe(100 * 41 + 30 * 20)
    await prune()
    expect((await figures()).map(({ body }) => body)).toEqual(before.map(({ body }) => body))
    expect(await count('domain_days')).toBe(100 * 2 + 30)
    expect(await count('active_days')).toBe(8)
  })

  it('checks single days again when a day with activity began, and not earlier', async () => {
    expect(await isDue()).toBe(0)
    await news(today, 's0.test')
    expect(await isDue()).toBe(0)
    clock.advance(dayMilliseconds)
    await news(today + 1, 's0.test')
    expect(await isDue()).toBe(1)
    await runTasks(context(), task)
    await prune()
    expect(await count(`domain_days where domain = 's0.test'`)).toBe(2)
  })
})
