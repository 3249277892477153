import { type SQL, sql } from 'drizzle-orm'

/**
 * Returns `value` if `condition` holds. Otherwise the statement fails, and with it the batch: later statements
 * are not run. `failedGuard` reads `name` from the failure.
 */
export function guarded(condition: SQL, name: string, value: SQL = sql`1`): SQL {
  return sql`case when ${condition} then ${value} else ${failing(name)} end`
}

/** Fails the statement, and with it the batch, when it is evaluated. `failedGuard` reads `name` from the failure. */
export function failing(name: string): SQL {
  // D1 has no RAISE outside triggers; a bad JSON path fails with the path in its message.
  return sql`json_extract('{}', ${sql.raw(`'guard ${name}.'`)})`
}

/** The name of the guard that failed a batch; null for every other failure. */
export function failedGuard(failure: unknown): string | null {
  return /guard (\w+)\./.exec(messagesOf(failure))?.[1] ?? null
}

/** Drizzle wraps D1's error; the reason is in the cause. */
function messagesOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  // The query text names every guard, so only causes count if there are any.
  return failure.cause === undefined ? failure.message : messagesOf(failure.cause)
}
