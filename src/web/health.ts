import { Hono } from 'hono'
import { execute, first } from '../db/query'
import { counters } from '../db/schema'
import type { AppEnv } from '../platform/app-env'
import type { Ctx } from '../platform/ports'

const patienceMilliseconds = 5_000
/** Monitors pass no flood gate, so an isolate keeps the last outcome for some seconds instead of asking again. */
const keptSeconds = { good: 5, bad: 1 }

/** `/health` for monitors: `OK`, or 503 where the database does not answer or holds no tables. */
export function healthRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/health', async (c) => {
    const answers = await canReachDatabase(c.get('ctx'), patienceMilliseconds)
    const [text, status] = answers ? (['OK', 200] as const) : (['The database does not answer', 503] as const)
    return c.text(text, status, { 'Cache-Control': 'no-store' })
  })
  return app
}

/** Whether the database answers one small statement within `patience` milliseconds. */
export async function canReachDatabase(ctx: Ctx, patience: number): Promise<boolean> {
  const kept = ctx.memory.get('health')
  if (kept !== null) return kept === 'good'
  const outcome = (await findProblem(ctx, patience)) === null ? 'good' : 'bad'
  ctx.memory.set('health', outcome, keptSeconds[outcome])
  return outcome === 'good'
}

async function findProblem(ctx: Ctx, patience: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patience} ms`)), patience)
  })
  try {
    const row = first(ctx.db.select({ name: counters.name }).from(counters).limit(1))
    await Promise.race([execute(ctx.db, row), late])
    return null
  } catch (cause) {
    ctx.log.error('The database does not answer', { cause })
    return cause
  } finally {
    clearTimeout(timer)
  }
}
