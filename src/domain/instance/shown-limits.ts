import * as z from 'zod'
import { type Query, together } from '../../db/query'
import { NotFound } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { keptList } from '../core/kept-lists'
import type { Viewer } from '../core/viewer'
import { type InstanceSettings, pickSettings } from './settings'

/** A limit that people feel: nothing is exchanged with the server, or its people are shown to followers only. */
export interface ShownLimit {
  readonly domain: string
  readonly severity: 'suspend' | 'silence'
  readonly obfuscate: boolean
  readonly publicComment: string
}

const Limit = z.tuple([z.string(), z.enum(['suspend', 'silence']), z.number(), z.string()]).transform(
  ([domain, severity, obfuscate, publicComment]): ShownLimit => ({
    domain,
    severity,
    obfuscate: obfuscate === 1,
    publicComment,
  }),
)

interface Found {
  readonly settings: Pick<InstanceSettings, 'domainBlocksShownTo' | 'domainBlockReasonsShownTo'>
  readonly limits: readonly ShownLimit[]
}

/** The limits people feel, the hardest first, and to whom they may be told. */
export function findShownLimits(ctx: Ctx): Query<Found> {
  return together({
    settings: pickSettings(ctx, ['domainBlocksShownTo', 'domainBlockReasonsShownTo']),
    limits: keptList(ctx, 'limits', Limit),
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
