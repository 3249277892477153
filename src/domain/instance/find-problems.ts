import * as z from 'zod'
import { both, execute, map, type Query } from '../../db/query'
import { AppError } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { type Health, type HealthProblem, healthProblems, loadHealth, problemsOf } from './health'
import { clearRefusedWrite, probeWrites, wasWriteRefused } from './refused-writes'

const patienceMilliseconds = 5_000
/** Monitors pass no flood gate, so an isolate keeps the last outcome for some seconds instead of asking again. */
const keptSeconds = { well: 5, ill: 1 }
const cacheKey = 'health'
const Problems = z.array(z.enum(healthProblems))

/** Outcome of a check of the server: its state, null where the database does not answer or refuses writes. */
export interface Checked {
  readonly health: Health | null
  readonly problems: readonly HealthProblem[]
}

/** Problems of the server, as found by this isolate in the last seconds, or now: the answer of `/health`. */
export async function findProblems(
  ctx: Ctx,
  patience = patienceMilliseconds,
): Promise<readonly HealthProblem[]> {
  if (wasWriteRefused(ctx)) return ['database']
  const kept = ctx.memory.get(cacheKey)
  if (kept !== null) return Problems.parse(JSON.parse(kept))
  const { problems } = await checkHealth(ctx, (query) => execute(ctx.db, query), patience)
  ctx.memory.set(cacheKey, JSON.stringify(problems), keptSeconds[problems.length === 0 ? 'well' : 'ill'])
  return problems
}

/**
 * Loads the state, and checks that the database takes writes, in one round trip. `run` runs the query, and may refuse
 * the caller.
 */
export async function checkHealth(
  ctx: Ctx,
  run: (query: Query<Health>) => Promise<Health>,
  patience = patienceMilliseconds,
): Promise<Checked> {
  const isRefused = wasWriteRefused(ctx)
  const query = isRefused
    ? loadHealth(ctx)
    : map(both(loadHealth(ctx), probeWrites(ctx)), ([health]) => health)
  const health = await loadInTime(ctx, query, run, patience)
  if (isRefused || health === null) return { health, problems: ['database'] }
  clearRefusedWrite(ctx)
  return { health, problems: problemsOf(health, ctx.clock.now()) }
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
    ctx.log.error('The database does not answer, or takes no writes', { cause })
    return null
  } finally {
    clearTimeout(timer)
  }
}
