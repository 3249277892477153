import { integer, text } from 'drizzle-orm/sqlite-core'

/** An instant: `Date` in code, integer milliseconds in D1. */
export const instant = (name: string) => integer(name, { mode: 'timestamp_ms' })

/** A truth value: `boolean` in code, 0 or 1 in D1. */
export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** A value that is only ever read with its row, stored as JSON text. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

/** A 53-bit id of one concept; see lib/snowflake. */
export const id = <T extends number>(name: string) => integer(name).$type<T>()
