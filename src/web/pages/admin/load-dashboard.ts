import { combineQueries, execute } from '../../../db/query'
import { findNewRelease } from '../../../domain/instance/releases'
import { loadCohorts } from '../../../domain/metrics/active-days'
import { dayStart, periodOf } from '../../../domain/metrics/daily-counters'
import { loadDimensions, nameSources } from '../../../domain/metrics/dimensions'
import { loadMeasures } from '../../../domain/metrics/measures'
import { countWaiting } from '../../../domain/moderation/find-history'
import type { Ctx } from '../../../ports/ctx'
import { presentCohort, presentDimension, presentMeasure } from '../../../view/present/admin-metrics'

const measures = ['new_users', 'active_users', 'interactions', 'opened_reports', 'resolved_reports'] as const
const dimensions = ['sources', 'languages', 'servers', 'space_usage', 'software_versions'] as const
const entriesShown = 8
/** Months of the table of retention. */
const cohortMonths = 6

export async function loadDashboard(ctx: Ctx) {
  const now = ctx.clock.now()
  const period = periodOf({}, now)
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - cohortMonths + 1, 1))
  const found = await execute(
    ctx.db,
    combineQueries({
      waiting: countWaiting(ctx),
      measures: loadMeasures(
        ctx,
        measures.map((key) => ({ key })),
        period,
      ),
      dimensions: loadDimensions(
        ctx,
        dimensions.map((key) => ({ key })),
        { period, limit: entriesShown },
      ),
      cohorts: loadCohorts(ctx, periodOf({ start }, now), 'month'),
      release: findNewRelease(ctx),
    }),
  )
  const named = await Promise.all(
    found.dimensions.map(async (dimension) =>
      dimension?.key === 'sources' ? { ...dimension, entries: await nameSources(ctx, dimension) } : dimension,
    ),
  )
  return {
    waiting: found.waiting,
    release: found.release,
    missingServices: ctx.config.missingServices,
    cohorts: found.cohorts.map(presentCohort),
    measures: measures.flatMap((key, index) => {
      const measure = found.measures[index] ?? null
      if (measure === null) return []
      const days = measure.days.map(({ day, value }) => ({ at: dayStart(day), value }))
      return [{ key, measure: presentMeasure({ ...measure, days }) }]
    }),
    dimensions: dimensions.flatMap((key, index) => {
      const dimension = named[index] ?? null
      return dimension === null ? [] : [{ key, dimension: presentDimension(dimension) }]
    }),
  }
}

export type FoundDashboard = Awaited<ReturnType<typeof loadDashboard>>
