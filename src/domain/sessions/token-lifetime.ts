import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { accessTokens } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'

/** How long a token of an application by itself stays good after its last use. A person's token never runs out. */
const unusedMilliseconds = 30 * dayMilliseconds

/** The table of tokens, or another name of it. */
export type Tokens = Readonly<Record<'tokenHash' | 'accountId' | 'lastUsedAt' | 'createdAt', SQLiteColumn>>

/** The last use that is too long ago at `now`, in milliseconds. */
export function expiredBefore(now: Date): number {
  return now.getTime() - unusedMilliseconds
}

/** SQL condition: the token has not run out. */
export function isLiveToken(now: Date, tokens: Tokens = accessTokens): SQL {
  // Last use, or else the making. Word for word as in the index.
  const lastUse = sql`coalesce(${tokens.lastUsedAt}, ${tokens.createdAt})`
  return sql`(${tokens.accountId} is not null or ${lastUse} > ${expiredBefore(now)})`
}

/** Seconds an application's own token is good for without being used again. */
export function secondsLeft(usedAt: Date, now: Date): number {
  return Math.floor((usedAt.getTime() - expiredBefore(now)) / 1000)
}
