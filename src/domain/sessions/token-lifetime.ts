import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { dayMilliseconds } from '../../lib/days'

/** Lifetime of an application's own token after its last use. User tokens never expire. */
const unusedMilliseconds = 30 * dayMilliseconds

/** Table of tokens, or an alias of it. */
export type Tokens = Readonly<Record<'tokenHash' | 'accountId' | 'lastUsedAt' | 'createdAt', SQLiteColumn>>

/** Latest last use, in milliseconds, that has expired at `now`. */
export function expiredBefore(now: Date): number {
  return now.getTime() - unusedMilliseconds
}

/** SQL condition: the token has not expired. `expired` is what `expiredBefore` returns. */
export function isLiveToken(expired: SQL, tokens: Tokens): SQL {
  // Last use, or else creation. Verbatim as in the index.
  const lastUse = sql`coalesce(${tokens.lastUsedAt}, ${tokens.createdAt})`
  return sql`(${tokens.accountId} is not null or ${lastUse} > ${expired})`
}

/** Seconds until an unused application token expires. */
export function secondsLeft(usedAt: Date, now: Date): number {
  return Math.floor((usedAt.getTime() - expiredBefore(now)) / 1000)
}
