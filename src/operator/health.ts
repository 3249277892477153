import { Hono } from 'hono'
import { execute, type Query } from '../db/query'
import { checkHealth, findProblems, type Health } from '../domain/health/health'
import { Forbidden } from '../errors'
import { prefersData } from '../lib/request-headers'
import type { AppContext, AppEnv } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { bearerToken, executeForStaff, isMetricsToken } from './monitor'

const headers = { 'Cache-Control': 'no-store' }

/** `/health/live`: constant, without the database. Mounted before everything that reads it. */
export function liveRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/health/live', (c) => c.text('OK', 200, headers))
  return app
}

/**
 * `/health` for monitors: `OK`, as Mastodon answers, or 503 with the causes in JSON. With METRICS_TOKEN, or the token of
 * a member whose role sees the state of the server, also the figures; apps of other members get the public answer.
 */
export function healthRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/health', async (c) => {
    const ctx = c.get('ctx')
    const token = bearerToken(c)
    const figures = token === null ? null : await showFigures(c, token)
    if (figures !== null) return figures
    const causes = await findProblems(ctx)
    if (causes.length > 0) return c.json({ status: 'failing', causes }, 503, headers)
    return prefersData(c.req.header('accept'))
      ? c.json({ status: 'OK', causes }, 200, headers)
      : c.text('OK', 200, headers)
  })
  return app
}

/** The state with its figures; null for the token of a member who may not see them. */
async function showFigures(c: AppContext, token: string): Promise<Response | null> {
  const ctx = c.get('ctx')
  const run = (query: Query<Health>) =>
    isMetricsToken(ctx, token) ? execute(ctx.db, query) : executeForStaff(c, query)
  const found = await checkHealth(ctx, run).catch((failure: unknown) => {
    if (failure instanceof Forbidden) return null
    throw failure
  })
  if (found === null) return null
  const { health, problems: causes } = found
  const figures = health === null ? {} : presentFigures(health, await ctx.jobBacklog(), ctx.clock.now())
  const status = causes.length === 0 ? ('OK' as const) : ('failing' as const)
  const missing = ctx.config.missingServices
  return c.json({ status, causes, missing, ...figures }, status === 'OK' ? 200 : 503, headers)
}

function presentFigures(
  { outbox, lastCronRunAt, failingTasks }: Health,
  backlog: Awaited<ReturnType<Ctx['jobBacklog']>>,
  now: Date,
) {
  const ageOf = (at: Date | null) =>
    at === null ? null : Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000))
  return {
    outbox: { waiting: outbox.waiting, oldest_age_seconds: ageOf(outbox.oldestAt) },
    jobs: backlog === null ? null : { waiting: backlog.count, oldest_age_seconds: ageOf(backlog.oldestAt) },
    cron: {
      last_run_at: lastCronRunAt?.toISOString() ?? null,
      age_seconds: ageOf(lastCronRunAt),
      failing_tasks: failingTasks.map(({ task, since, failures }) => ({
        task,
        failing_since: since.toISOString(),
        failures,
      })),
    },
  }
}
