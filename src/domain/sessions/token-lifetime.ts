import { type SQL, sql } from 'drizzle-orm'
import { accessTokens } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'

/** How long a token of an application by itself stays good after its last use. A person's token never runs out. */
const unusedMilliseconds = 30 * dayMilliseconds

/** Last use, or else the making, of a token. Word for word as in the index. */
const lastUse: SQL = sql`coalesce(${accessTokens.lastUsedAt}, ${accessTokens.createdAt})`

/** The last use that is too long ago at `now`, in milliseconds. */
export function expiredBefore(now: Date): number {
  return now.getTime() - unusedMilliseconds
}

/** SQL condition: the token has not run out. */
export function isLiveToken(now: Date): SQL {
  return sql`(${accessTokens.accountId} is not null or ${lastUse} > ${expiredBefore(now)})`
}

/** Seconds an application's own token is good for without being used again. */
export function secondsLeft(usedAt: Date, now: Date): number {
  return Math.floor((usedAt.getTime() - expiredBefore(now)) / 1000)
}
