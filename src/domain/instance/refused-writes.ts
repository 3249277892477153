import { sql } from 'drizzle-orm'
import { type Query, rawResults } from '../../db/query'
import { taskRuns } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { cronRow } from './task-runs'

const memoryKey = 'refused write'
/** Row of the writes that `/health` makes. */
const probeRow = 'health'
const lastingMilliseconds = 60_000
const probeGapMilliseconds = 5 * 60_000
/** After a refusal the next check writes, however recent the last write is: kept until one has succeeded. */
const keptSeconds = 3_600

type Noted = Pick<Ctx, 'memory' | 'clock'>

/** Notes in this isolate that the database refused a write, see `isRefusedWrite`. */
export function noteRefusedWrite({ memory, clock }: Noted): void {
  memory.set(memoryKey, String(clock.now().getTime()), keptSeconds)
}

/** Forgets refusals: a write has succeeded since. */
export function clearRefusedWrite({ memory }: Noted): void {
  memory.delete(memoryKey)
}

/** Whether the database refused a write of this isolate in the last minute. */
export function wasWriteRefused({ memory, clock }: Noted): boolean {
  const refusedAt = memory.get(memoryKey)
  return refusedAt !== null && clock.now().getTime() - Number(refusedAt) < lastingMilliseconds
}

/**
 * Writes a row if nothing proves that the database takes writes: neither the cron nor this write was recorded in the
 * last five minutes, or this isolate was refused one since. So all who ask together cause one row in five minutes.
 */
export function probeWrites(ctx: Ctx): Query<unknown> {
  const now = ctx.clock.now().getTime()
  const isRecent = sql`exists (select 1 from ${taskRuns} where task in (${cronRow}, ${probeRow})
    and ran_at > ${now - probeGapMilliseconds})`
  const isDue = ctx.memory.get(memoryKey) === null ? sql`not ${isRecent}` : sql`true`
  const probe =
    ctx.db.run(sql`insert into ${taskRuns} (task, ran_at) select ${probeRow}, ${now} where ${isDue}
    on conflict (task) do update set ran_at = excluded.ran_at`)
  return rawResults([probe])
}
