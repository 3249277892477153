import { sql } from 'drizzle-orm'

/** The first status id that no count of a server or a remote author includes: cron counts once a day. */
export const countedBefore = sql`(select counted_before from status_counting where id = 1)`
