import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { UsageMeter } from '../../src/cloudflare/usage-meter'
import { deadLetters, failingHosts, outbox, taskRuns } from '../../src/db/schema'
import { recordCronRun } from '../../src/domain/health/task-runs'
import { formatMetrics } from '../../src/lib/prometheus'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { givenOwner, givenStaff } from '../support/given-staff'
import { namingProblems, parseMetrics } from '../support/prometheus-text'
import { clock, context } from '../support/test-app'

const metricsToken = 'a token for the monitor'
const config = { ...context().config, metricsToken }
const { db } = context()
const minute = 60_000

const scrape = (token: string | null, overrides: object = { config }) =>
  new Browser(overrides).get('/metrics', {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })

/** Metrics as no earlier scrape left them. */
async function fresh() {
  clock.advance(11_000)
  return parseMetrics((await scrape(metricsToken)).html)
}

beforeAll(async () => {
  await recordCronRun(context())
})

describe('GET /metrics', () => {
  it('answers in the text format of Prometheus, by its conventions', async () => {
    const answer = await scrape(metricsToken)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const metrics = parseMetrics(answer.html)
    expect(namingProblems(metrics)).toEqual([])
    expect([...metrics.keys()]).toEqual(
      expect.arrayContaining([
        'fieldfare_statuses',
        'fieldfare_accounts',
        'fieldfare_requests_total',
        'fieldfare_deliveries',
        'fieldfare_outbox_oldest_age_seconds',
        'fieldfare_dead_letters',
        'fieldfare_quota_used_ratio',
        'fieldfare_cron_last_run_timestamp_seconds',
        'fieldfare_database_size_bytes',
        'fieldfare_media_size_bytes',
      ]),
    )
  })

  it('needs a token of its own, or that of staff who see the state of the server', async () => {
    const [owner, member] = [await givenOwner(), await given.account()]
    const narrow = await givenStaff({ permissions: ['viewDevops'], scopes: 'read' })
    expect((await scrape(owner.token)).status).toBe(200)
    expect((await scrape(owner.token, {})).status).toBe(200)
    expect((await scrape(member.token)).status).toBe(403)
    expect((await scrape(narrow.token)).status).toBe(403)
    for (const token of [null, 'another', `${metricsToken}.`, metricsToken.slice(2)]) {
      const refusal = await scrape(token)
      expect([refusal.status, refusal.html.includes('fieldfare_')]).toEqual([401, false])
      expect((await scrape(token, {})).status).toBe(404)
    }
    expect((await scrape(metricsToken, {})).status).toBe(404)
  })

  it('counts what is there and what waits', async () => {
    const before = await fresh()
    const author = await given.account()
    await given.status({ by: author })
    const id = context().ids.next()
    await db.run(sql`insert into outbox (id, event, not_before)
      values (${id}, '{"kind":"delete-files","keys":[]}', ${clock.now().getTime() + 60 * minute})`)
    await db.insert(deadLetters).values({ id, messageId: 'm', kind: 'send-push', message: {} })
    await db.insert(taskRuns).values({
      task: 'refresh-trends',
      ranAt: clock.now(),
      failingSince: clock.now(),
      failures: 3,
    })
    const host = { failures: 9, reportedAt: clock.now(), failingSince: clock.now() }
    await db.insert(failingHosts).values([
      { ...host, host: 'slow.test', waiting: 4, oldestAt: clock.now() },
      { ...host, host: 'gone.test', waiting: 0, unreachable: true },
    ])
    const now = clock.now()
    const after = await fresh()
    const grown = (metric: string, labels = '') =>
      (after.get(metric)?.samples.get(labels) ?? 0) - (before.get(metric)?.samples.get(labels) ?? 0)
    expect(grown('fieldfare_accounts')).toBe(1)
    expect(grown('fieldfare_dead_letters')).toBe(1)
    expect(grown('fieldfare_outbox_messages')).toBeGreaterThanOrEqual(1)
    expect(grown('fieldfare_failing_tasks')).toBe(1)
    expect(grown('fieldfare_delivery_hosts', 'state="failing"')).toBe(1)
    expect(grown('fieldfare_delivery_hosts', 'state="unreachable"')).toBe(1)
    expect(grown('fieldfare_deliveries', 'kind="federation",state="waiting"')).toBe(4)
    expect(after.get('fieldfare_delivery_oldest_age_seconds')?.samples.get('')).toBe(11)
    expect(
      after.get('fieldfare_task_failing_since_timestamp_seconds')?.samples.get('task="refresh-trends"'),
    ).toBe(now.getTime() / 1_000)
    await Promise.all([outbox, deadLetters, failingHosts, taskRuns].map((table) => db.delete(table)))
  })

  it('never lowers a counter from one isolate to the next', async () => {
    const [busy, idle] = [new UsageMeter(), new UsageMeter()]
    busy.add(clock.now(), 'requests', 40)
    const requestsFrom = async (meter: UsageMeter) => {
      clock.advance(11_000)
      const metrics = parseMetrics((await scrape(metricsToken, { config, meter })).html)
      return metrics.get('fieldfare_requests_total')?.samples.get('class="incoming"') ?? Number.NaN
    }
    const first = await requestsFrom(busy)
    expect(await requestsFrom(idle)).toBeGreaterThanOrEqual(first)
  })

  it('asks once in ten seconds, in one round trip of at most 400 rows where everything is wrong', async () => {
    const now = clock.now()
    const rows = Array.from({ length: 300 }, (_, at) => at + 1)
    const all = sql`json_each(${JSON.stringify(rows)}) as item`
    await db.run(sql`insert into outbox (id, event, not_before)
      select item.value, '{"kind":"delete-files","keys":[]}', ${now.getTime()} from ${all}`)
    await db.run(sql`insert into dead_letters (id, message_id, kind, message)
      select item.value, item.value, 'x', '{}' from ${all}`)
    await db.run(sql`insert into failing_hosts (host, failing_since, failures, waiting, reported_at)
      select item.value || '.test', 1, 9, 1, 1 from ${all}`)
    await db.run(sql`insert into usage_days (day) select item.value from ${all}`)
    clock.advance(11_000)
    const { costs, html } = await scrape(metricsToken)
    expect(costs.trips).toBe(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(400)
    expect(parseMetrics(html).get('fieldfare_dead_letters')?.samples.get('')).toBe(40)
    expect((await scrape(metricsToken)).costs.trips).toBe(0)
    await Promise.all([outbox, deadLetters, failingHosts].map((table) => db.delete(table)))
  })
})

it('texts of labels are escaped', () => {
  const samples = [{ labels: { text: 'a "b" \\ c\nd' }, value: 1 }]
  const text = formatMetrics([{ name: 'x', type: 'gauge', help: 'Line\none', samples }])
  expect(text).toBe('# HELP x Line\\none\n# TYPE x gauge\nx{text="a \\"b\\" \\\\ c\\nd"} 1\n')
  expect(parseMetrics(text).get('x')?.samples.size).toBe(1)
})
