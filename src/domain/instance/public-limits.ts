import * as z from 'zod'
import { combineQueries, type Query } from '../../db/query'
import { NotFound } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { readCachedList } from '../core/cached-lists'
import type { Viewer } from '../core/viewer'
import { type InstanceSettings, pickSettings } from './settings'

/** A limit that people feel: nothing is exchanged with the server, or its people are shown to followers only. */
export interface PublicLimit {
  readonly domain: string
  readonly severity: 'suspend' | 'silence'
  readonly obfuscate: boolean
  readonly publicComment: string
}

const Limit = z.tuple([z.string(), z.enum(['suspend', 'silence']), z.number(), z.string()]).transform(
  ([domain, severity, obfuscate, publicComment]): PublicLimit => ({
    domain,
    severity,
    obfuscate: obfuscate === 1,
    publicComment,
  }),
)

interface PublicLimits {
  readonly settings: Pick<InstanceSettings, 'domainBlocksShownTo' | 'domainBlockReasonsShownTo'>
  readonly limits: readonly PublicLimit[]
}

/** The limits people feel, the hardest first, and to whom they may be told. */
export function findPublicLimits(ctx: Ctx): Query<PublicLimits> {
  return combineQueries({
    settings: pickSettings(ctx, ['domainBlocksShownTo', 'domainBlockReasonsShownTo']),
    limits: readCachedList(ctx, 'limits', Limit),
  })
}

/** The limits as this viewer may know them; reasons they may not know are null. `NotFound` where all of it is kept back. */
export function limitsVisibleTo(
  viewer: Viewer | null,
  { settings, limits }: PublicLimits,
): readonly (Omit<PublicLimit, 'publicComment'> & { readonly comment: string | null })[] {
  const isTold = (audience: InstanceSettings['domainBlocksShownTo']) =>
    audience === 'all' || (audience === 'users' && viewer !== null)
  if (!isTold(settings.domainBlocksShownTo)) throw new NotFound()
  const tellsWhy = isTold(settings.domainBlockReasonsShownTo)
  return limits.map(({ publicComment, ...limit }) => ({ ...limit, comment: tellsWhy ? publicComment : null }))
}
