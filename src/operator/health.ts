import { Hono } from 'hono'
import * as z from 'zod'
import { execute, type Query } from '../db/query'
import {
  type Health,
  type HealthProblem,
  healthProblems,
  loadHealth,
  problemsOf,
} from '../domain/instance/health'
import { AppError, Forbidden } from '../errors'
import { prefersData } from '../lib/accept'
import type { AppContext, AppEnv } from '../platform/app-env'
import type { Ctx } from '../platform/ports'
import { bearerToken, executeForStaff, isMetricsToken } from './monitor'

const patienceMilliseconds = 5_000
/** Monitors pass no flood gate, so an isolate keeps the last outcome for some seconds instead of asking again. */
const keptSeconds = { well: 5, ill: 1 }
const cacheKey = 'health'
const Causes = z.array(z.enum(healthProblems))

const headers = { 'Cache-Control': 'no-store' }

/** `/health/live`: constant, without the database. Mounted before everything that reads it. */
export function liveRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/health/live', (c) => c.text('OK', 200, headers))
  return app
}

/**
 * `/health` for monitors: `OK`, as Mastodon answers, or 503 with the causes in JSON. With METRICS_TOKEN, or the token of
 * a member whose role sees the state of the server, also the figures; apps of other members get what anybody gets.
 */
export function healthRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/health', async (c) => {
    const ctx = c.get('ctx')
    const token = bearerToken(c)
    const figures = token === null ? null : await showFigures(c, token)
    if (figures !== null) return figures
    const causes = await findCauses(ctx, patienceMilliseconds)
    if (causes.length > 0) return c.json({ status: 'failing', causes }, 503, headers)
    return prefersData(c.req.header('accept'))
      ? c.json({ status: 'OK', causes }, 200, headers)
      : c.text('OK', 200, headers)
  })
  return app
}

/** Causes for which the server is not well, as found by this isolate in the last seconds, or now. */
export async function findCauses(ctx: Ctx, patience: number): Promise<readonly HealthProblem[]> {
  const kept = ctx.memory.get(cacheKey)
  if (kept !== null) return Causes.parse(JSON.parse(kept))
  const found = await loadInTime(ctx, loadHealth(ctx), (query) => execute(ctx.db, query), patience)
  const causes = causesOf(ctx, found)
  ctx.memory.set(cacheKey, JSON.stringify(causes), keptSeconds[causes.length === 0 ? 'well' : 'ill'])
  return causes
}

/** The state with its figures; null for the token of a member who may not see them. */
async function showFigures(c: AppContext, token: string): Promise<Response | null> {
  const ctx = c.get('ctx')
  const run = (query: Query<Health>) =>
    isMetricsToken(ctx, token) ? execute(ctx.db, query) : executeForStaff(c, query)
  const found = await loadInTime(ctx, loadHealth(ctx), run, patienceMilliseconds).catch(
    (failure: unknown) => {
      if (failure instanceof Forbidden) return 'hidden' as const
      throw failure
    },
  )
  if (found === 'hidden') return null
  const causes = causesOf(ctx, found)
  const figures = found === null ? {} : presentFigures(found, await ctx.jobBacklog(), ctx.clock.now())
  const status = causes.length === 0 ? ('OK' as const) : ('failing' as const)
  const missing = ctx.config.missingServices
  return c.json({ status, causes, missing, ...figures }, status === 'OK' ? 200 : 503, headers)
}

function causesOf({ clock }: Ctx, found: Health | null): readonly HealthProblem[] {
  return found === null ? ['database'] : problemsOf(found, clock.now())
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

/** Runs a query; null where the database does not answer within `patience` milliseconds. Refusals are thrown. */
async function loadInTime<T>(
  ctx: Ctx,
  query: Query<T>,
  run: (query: Query<T>) => Promise<T>,
  patience: number,
): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patience} ms`)), patience)
  })
  try {
    return await Promise.race([run(query), late])
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    ctx.log.error('The database does not answer', { cause })
    return null
  } finally {
    clearTimeout(timer)
  }
}
