import { combineQueries } from '../../../db/query'
import { dayStart, periodOf } from '../../../domain/metrics/daily-counters'
import { loadMeasures } from '../../../domain/metrics/measures'
import { knownServer } from '../../../domain/moderation/known-servers'
import { parseLimitedDomain, problemOfDomain } from '../../../domain/moderation/limit-domain'
import { previewLimitWith } from '../../../domain/moderation/preview-effects'
import { failingHost } from '../../../domain/servers/reachability'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { presentMeasure } from '../../../view/present/admin-metrics'
import type { PageQuery } from '../../member-pages/declaration'

const measures = ['instance_statuses', 'instance_follows', 'instance_followers'] as const

export async function loadServer(ctx: Ctx, { param }: PageQuery) {
  const domain = parseLimitedDomain(param('domain'))
  if (domain === null) throw new NotFound()
  const orders = measures.map((key) => ({ key, domain }))
  const { effects, existing, found } = await previewLimitWith(
    ctx,
    domain,
    combineQueries({
      server: knownServer(ctx, domain),
      failing: failingHost(ctx, domain),
      measures: loadMeasures(ctx, orders, periodOf({}, ctx.clock.now())),
    }),
  )
  return {
    domain,
    effects,
    server: found.server,
    failing: found.failing,
    limit: existing.find((one) => one.domain === domain) ?? null,
    above: existing.filter((one) => one.domain !== domain),
    isLimitable: problemOfDomain(ctx.config, domain) === null,
    measures: measures.flatMap((key, index) => {
      const measure = found.measures[index] ?? null
      if (measure === null) return []
      const days = measure.days.map(({ day, value }) => ({ at: dayStart(day), value }))
      return [{ key, measure: presentMeasure({ ...measure, days }) }]
    }),
  }
}

export type FoundServer = Awaited<ReturnType<typeof loadServer>>
