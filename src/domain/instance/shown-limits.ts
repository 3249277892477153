import { sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { type Query, rows, together } from '../../db/query'
import { domainLimits } from '../../db/schema'
import { NotFound } from '../../errors'
import type { Viewer } from '../viewer'
import { type InstanceSettings, pickSettings } from './settings'

/** A limit that people feel: nothing is exchanged with the server, or its people are shown to followers only. */
export interface ShownLimit {
  readonly domain: string
  readonly severity: 'suspend' | 'silence'
  readonly obfuscate: boolean
  readonly publicComment: string
}

interface Found {
  readonly settings: Pick<InstanceSettings, 'domainBlocksShownTo' | 'domainBlockReasonsShownTo'>
  readonly limits: readonly ShownLimit[]
}

/** The limits people feel, the hardest first, and to whom they may be told. */
export function findShownLimits(ctx: Ctx): Query<Found> {
  const { domain, obfuscate, publicComment } = domainLimits
  const severity = sql<ShownLimit['severity']>`${domainLimits.severity}`.as('severity')
  return together({
    settings: pickSettings(ctx, ['domainBlocksShownTo', 'domainBlockReasonsShownTo']),
    limits: rows(
      ctx.db
        .select({ domain, severity, obfuscate, publicComment })
        .from(domainLimits)
        .where(sql`${domainLimits.severity} in ('suspend', 'silence')`)
        .orderBy(sql`${domainLimits.severity} = 'silence', ${domain}`),
    ),
  })
}

/** The limits as this viewer may know them; reasons they may not know are null. `NotFound` where all of it is kept back. */
export function limitsShownTo(
  viewer: Viewer | null,
  { settings, limits }: Found,
): readonly (Omit<ShownLimit, 'publicComment'> & { readonly comment: string | null })[] {
  const isTold = (audience: InstanceSettings['domainBlocksShownTo']) =>
    audience === 'all' || (audience === 'users' && viewer !== null)
  if (!isTold(settings.domainBlocksShownTo)) throw new NotFound()
  const tellsWhy = isTold(settings.domainBlockReasonsShownTo)
  return limits.map(({ publicComment, ...limit }) => ({ ...limit, comment: tellsWhy ? publicComment : null }))
}
