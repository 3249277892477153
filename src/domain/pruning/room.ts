import { map, type Query } from '../../db/query'
import { QuotaSpent, Unavailable } from '../../errors'
import { secondsUntilNextDay } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { pruneLimits } from './prune'
import { loadState } from './state'

/** Part of the budget up to which imports of archives fill the database: what members write needs the rest. */
const importedUpTo = 0.9

/**
 * Reason why nothing more may be imported into the database; null where there is room. Imports end before pruning would delete
 * copies of other servers' posts to make room for them, and before the rows of the day are used up.
 */
export function importsRefused(ctx: Ctx): Query<Unavailable | null> {
  return map(loadState(ctx), ({ state, settings }) => {
    if (ctx.usage.isPaused('imports')) return new QuotaSpent(secondsUntilNextDay(ctx.clock.now()))
    const isFull = state.bytes > importedUpTo * pruneLimits(ctx, settings).bytes
    return isFull ? new Unavailable('no_room') : null
  })
}
