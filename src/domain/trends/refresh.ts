import { execute } from '../../db/query'
import type { Ctx } from '../../platform/ports'
import { pickSettings } from '../instance/settings'
import { linkUsage } from './find-links'
import { tagUsage } from './find-tags'
import { trendKinds } from './rank'
import { scoreStatuses } from './score-statuses'
import { scoreUsage } from './score-usage'

/** Cron: recomputes trends, unless the operator disabled them. */
export async function refreshTrends(ctx: Ctx): Promise<void> {
  const { trends, trendMinimumAccounts: least } = await execute(
    ctx.db,
    pickSettings(ctx, ['trends', 'trendMinimumAccounts']),
  )
  if (!trends) return
  await scoreUsage(ctx, tagUsage, { kind: trendKinds.tags, least })
  await scoreStatuses(ctx)
  await scoreUsage(ctx, linkUsage, { kind: trendKinds.links, least })
}
