import { sql } from 'drizzle-orm'
import { all, execute, rows } from '../../../db/query'
import { usageDays } from '../../../db/schema'
import type { UsageOfDay } from '../../../lib/usage/meter'
import { usageKinds } from '../../../lib/usage/quotas'
import type { Ctx } from '../../../ports/ctx'

/**
 * Adds the counts of this isolate to those of the day: one row written. Its statement returns what all isolates have
 * counted, so that this one knows how much of the day is left. A failure keeps the counts for the next time.
 */
export async function storeUsage(ctx: Ctx): Promise<void> {
  const taken = ctx.usage.take()
  try {
    const stored = await execute(ctx.db, all(taken.map((one) => rows(addToDay(ctx, one)))))
    for (const { day, ...counts } of stored.flat()) ctx.usage.recordStored(day, counts)
  } catch (cause) {
    ctx.usage.putBack(taken)
    ctx.log.error('Failed to store the usage of quotas', { cause })
  }
}

function addToDay(ctx: Ctx, { day, counts, databaseBytes }: UsageOfDay) {
  // Incoming messages of sockets count as parts of a call.
  const objectCalls = Math.ceil(counts.objectCalls)
  const summed = usageKinds.map((kind) => {
    const column = usageDays[kind]
    return [kind, sql`${column} + excluded.${sql.identifier(column.name)}`] as const
  })
  return ctx.db
    .insert(usageDays)
    .values({ ...counts, objectCalls, day, databaseBytes: databaseBytes ?? 0 })
    .onConflictDoUpdate({
      target: usageDays.day,
      set: {
        ...Object.fromEntries(summed),
        ...(databaseBytes === null ? {} : { databaseBytes }),
      },
    })
    .returning()
}
