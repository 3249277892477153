import { combineQueries, map, type Query } from '../../db/query'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { type ListedLimit, listedLimits } from '../servers/limits'
import { type InstanceSettings, pickSettings } from './settings'

/** Limit that users notice: the server is suspended, or its accounts are shown to followers only. */
export interface PublicLimit {
  readonly domain: string
  readonly severity: 'suspend' | 'silence'
  readonly obfuscate: boolean
  readonly publicComment: string
}

interface PublicLimits {
  readonly settings: Pick<InstanceSettings, 'domainBlocksShownTo' | 'domainBlockReasonsShownTo'>
  readonly limits: readonly PublicLimit[]
}

/** Limits that users notice, strictest first. */
function noticed(limits: readonly ListedLimit[]): readonly PublicLimit[] {
  const of = (which: PublicLimit['severity']) =>
    limits
      .filter(({ severity }) => severity === which)
      .map(({ domain, obfuscate, publicComment }) => ({ domain, severity: which, obfuscate, publicComment }))
  return [...of('suspend'), ...of('silence')]
}

/** Limits users notice, strictest first, and the settings of who may see them. */
export function findPublicLimits(ctx: Ctx): Query<PublicLimits> {
  return combineQueries({
    settings: pickSettings(ctx, ['domainBlocksShownTo', 'domainBlockReasonsShownTo']),
    limits: map(listedLimits(ctx), noticed),
  })
}

type VisibleLimit = Omit<PublicLimit, 'publicComment'> & { readonly comment: string | null }

/**
 * Limits visible to this viewer; reasons they may not see are null. `NotFound` where the whole list is hidden from
 * them.
 */
export function limitsVisibleTo(viewer: Viewer | null, found: PublicLimits): readonly VisibleLimit[] {
  const visible = visibleLimits(viewer !== null, found)
  if (visible === null) throw new NotFound()
  return visible
}

/** `limitsVisibleTo` for a member or a visitor; null where the whole list is hidden from them. */
export function visibleLimits(
  isMember: boolean,
  { settings, limits }: PublicLimits,
): readonly VisibleLimit[] | null {
  const isVisible = (audience: InstanceSettings['domainBlocksShownTo']) =>
    audience === 'all' || (audience === 'users' && isMember)
  if (!isVisible(settings.domainBlocksShownTo)) return null
  const showsReasons = isVisible(settings.domainBlockReasonsShownTo)
  return limits.map(({ publicComment, ...limit }) => ({
    ...limit,
    comment: showsReasons ? publicComment : null,
  }))
}
