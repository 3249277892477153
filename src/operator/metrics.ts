import { Hono } from 'hono'
import { softwareVersion } from '../contract/version'
import { execute } from '../db/query'
import { loadObservedState, type ObservedState } from '../domain/health/observed-state'
import { formatMetrics, type Metric, prometheusType, type Sample } from '../lib/prometheus'
import type { AppContext, AppEnv } from '../ports/app-env'
import type { JobBacklog } from '../ports/services'
import { bearerToken, executeForStaff, isMetricsToken } from './monitor'

/** Several monitors, or an eager one, ask the database once in so many seconds and isolate. */
const keptSeconds = 10
const cacheKey = 'metrics'

/**
 * `/metrics` in the text format of Prometheus, for METRICS_TOKEN or the token of a member whose role sees the state of
 * the server. 401 for other tokens, 404 where no METRICS_TOKEN is set. One round trip.
 */
export function metricsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/metrics', async (c) => {
    const ctx = c.get('ctx')
    const token = bearerToken(c)
    const isMonitor = token !== null && isMetricsToken(ctx, token)
    const kept = isMonitor ? ctx.memory.get(cacheKey) : null
    const text = kept ?? formatMetrics(await readMetrics(c, isMonitor))
    if (kept === null) ctx.memory.set(cacheKey, text, keptSeconds)
    return c.body(text, 200, { 'Content-Type': prometheusType, 'Cache-Control': 'no-store' })
  })
  return app
}

async function readMetrics(c: AppContext, isMonitor: boolean): Promise<readonly Metric[]> {
  const ctx = c.get('ctx')
  const query = loadObservedState(ctx)
  const state = await (isMonitor ? execute(ctx.db, query) : executeForStaff(c, query))
  return metricsOf(state, await ctx.jobBacklog(), ctx.clock.now())
}

function metricsOf(state: ObservedState, jobs: JobBacklog | null, now: Date): readonly Metric[] {
  return [
    gauge('fieldfare_build_info', 'Version that runs.', [{ labels: { version: softwareVersion }, value: 1 }]),
    ...contents(state),
    ...work(state, jobs, now),
    ...deliveries(state, now),
    ...usageMetrics(state),
  ]
}

function contents({ counters }: ObservedState): readonly Metric[] {
  return [
    gauge('fieldfare_accounts', 'Local accounts.', counters.users),
    gauge('fieldfare_active_accounts', 'Local accounts that were active in a period.', [
      { labels: { period: 'month' }, value: counters.active_month },
      { labels: { period: 'halfyear' }, value: counters.active_halfyear },
    ]),
    gauge('fieldfare_statuses', 'Statuses of local accounts.', counters.statuses),
    gauge('fieldfare_known_servers', 'Servers that accounts are known of.', counters.domains),
  ]
}

function work({ health, backlog }: ObservedState, jobs: JobBacklog | null, now: Date): readonly Metric[] {
  const { outbox, lastCronRunAt, failingTasks } = health
  return [
    gauge(
      'fieldfare_outbox_messages',
      'Committed effects that were not run yet, at most 100.',
      outbox.waiting,
    ),
    gauge('fieldfare_outbox_oldest_age_seconds', 'Age of the oldest of them.', ageOf(outbox.oldestAt, now)),
    gauge('fieldfare_job_backlog', 'Messages that wait in the queue of jobs.', jobs?.count ?? []),
    gauge(
      'fieldfare_job_backlog_oldest_age_seconds',
      'Age of the oldest of them.',
      jobs === null ? [] : ageOf(jobs.oldestAt, now),
    ),
    gauge('fieldfare_dead_letters', 'Messages that nobody could run, at most 40.', backlog.deadLetters),
    gauge(
      'fieldfare_cron_last_run_timestamp_seconds',
      'Last recorded run of the cron; recorded every five minutes.',
      lastCronRunAt === null ? [] : lastCronRunAt.getTime() / 1_000,
    ),
    gauge(
      'fieldfare_task_failing_since_timestamp_seconds',
      'Periodic tasks whose last run failed, and the first of these failures.',
      failingTasks.map(({ task, since }) => ({ labels: { task }, value: since.getTime() / 1_000 })),
    ),
    gauge('fieldfare_failing_tasks', 'Number of periodic tasks whose last run failed.', failingTasks.length),
  ]
}

function deliveries({ backlog }: ObservedState, now: Date): readonly Metric[] {
  return [
    gauge('fieldfare_delivery_hosts', 'Servers that take no deliveries, by state; at most 120 together.', [
      { labels: { state: 'failing' }, value: backlog.failingHosts },
      { labels: { state: 'unreachable' }, value: backlog.unreachableHosts },
    ]),
    gauge('fieldfare_deliveries', 'Deliveries by kind and state, as of their last attempts.', [
      { labels: { kind: 'federation', state: 'waiting' }, value: backlog.waitingDeliveries },
      { labels: { kind: 'webhook', state: 'waiting' }, value: backlog.pendingWebhookDeliveries },
    ]),
    gauge(
      'fieldfare_delivery_oldest_age_seconds',
      'Age of the oldest delivery that waits for a failing server.',
      ageOf(backlog.oldestDeliveryAt, now),
    ),
  ]
}

function usageMetrics({ usage: { storedToday, quotas } }: ObservedState): readonly Metric[] {
  const size = (name: string) => quotas.find((quota) => quota.name === name)?.used ?? []
  const labelled = quotas.map(({ name, period, used, limit, share }) => ({
    labels: { quota: snakeCase(name), period },
    used,
    limit,
    share,
  }))
  const { requests, outgoingRequests, ...uses } = storedToday
  return [
    counter('fieldfare_requests_total', 'Requests of today (UTC), incoming and outgoing.', [
      { labels: { class: 'incoming' }, value: requests },
      { labels: { class: 'outgoing' }, value: outgoingRequests },
    ]),
    counter(
      'fieldfare_platform_uses_total',
      'Uses of the platform today (UTC), by kind.',
      Object.entries(uses).map(([kind, value]) => ({ labels: { kind: snakeCase(kind) }, value })),
    ),
    gauge(
      'fieldfare_quota_used',
      'Use of a quota in its period.',
      labelled.map(({ labels, used }) => ({ labels, value: used })),
    ),
    gauge(
      'fieldfare_quota_limit',
      'Limit of a quota.',
      labelled.map(({ labels, limit }) => ({ labels, value: limit })),
    ),
    gauge(
      'fieldfare_quota_used_ratio',
      'Used part of a quota: 1 at the limit.',
      labelled.map(({ labels, share }) => ({ labels, value: share })),
    ),
    gauge('fieldfare_database_size_bytes', 'Size of the database.', size('databaseBytes')),
    gauge('fieldfare_media_size_bytes', 'Size of uploaded files.', size('mediaBytes')),
  ]
}

function gauge(name: string, help: string, samples: number | readonly Sample[]): Metric {
  return { name, type: 'gauge', help, samples: typeof samples === 'number' ? [{ value: samples }] : samples }
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'counter', help, samples }
}

function ageOf(at: Date | null, now: Date): number {
  return at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1_000)
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
