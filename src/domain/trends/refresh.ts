import { combineQueries, execute } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
import { loadCounter } from '../instance/counters'
import { pickSettings } from '../instance/settings'
import { linkUsage } from './find-links'
import { tagUsage } from './find-tags'
import { trendLimits } from './limits'
import { trendKinds } from './rank'
import { scoreStatuses } from './score-statuses'
import { scoreUsage } from './score-usage'

/** Cron: recomputes trends, unless the operator disabled them. */
export async function refreshTrends(ctx: Ctx): Promise<void> {
  const { settings, activePeople } = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, [
        'trends',
        'trendMinimumAccounts',
        'trendMinimumTagAccounts',
        'trendMinimumInteractions',
      ]),
      activePeople: loadCounter(ctx, 'active_month'),
    }),
  )
  if (!settings.trends) return
  const { tags, links, statuses } = trendLimits(settings, activePeople)
  await scoreUsage(ctx, tagUsage, { kind: trendKinds.tags, least: tags })
  await scoreStatuses(ctx, statuses)
  await scoreUsage(ctx, linkUsage, { kind: trendKinds.links, least: links })
}
