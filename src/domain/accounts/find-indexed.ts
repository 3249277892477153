import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { map, type Query, rawResults } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { anonymousViewer } from '../core/viewer'
import { mayBeRecommended } from '../policy/recommending'

/** Local account whose profile search engines may list. */
export interface IndexedAccount {
  readonly username: string
  readonly lastStatusAt: Date | null
}

const most = 500

const Result = z.object({
  results: z.array(z.object({ username: z.string(), lastStatusAt: z.number().nullable() })),
})

/**
 * Loads the local accounts that are discoverable and let search engines list them, latest status first: 500 at most.
 * One statement.
 */
export function findIndexedAccounts(ctx: Ctx): Query<readonly IndexedAccount[]> {
  const found = ctx.db.run(sql`select a.username as username, a.last_status_at as lastStatusAt from accounts a
    where ${mayBeRecommended(anonymousViewer, ctx.clock.now())} and a.domain is null and a.indexable = 1
    order by a.last_status_at desc ${limitTo(most)}`)
  return map(rawResults([found]), ([result]) =>
    Result.parse(result).results.map(({ username, lastStatusAt }) => ({
      username,
      lastStatusAt: lastStatusAt === null ? null : new Date(lastStatusAt),
    })),
  )
}
