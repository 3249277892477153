import type { DomainLimitRow } from './find-limits'

type Strictness = Pick<DomainLimitRow, 'severity' | 'rejectMedia' | 'rejectReports'>

const rank = { noop: 0, silence: 1, suspend: 2 } as const

/**
 * Whether `limit` does everything that `other` does, and more. The strictest limit on a name counts alone, so a milder
 * one adds nothing to it. A suspension rejects everything.
 */
export function isStricter(limit: Strictness, other: Strictness): boolean {
  const [own, others] = [rank[limit.severity], rank[other.severity]]
  if (own !== others && (own < others || limit.severity === 'suspend')) return own > others
  if (limit.severity === 'suspend') return false
  const includes = (limit.rejectMedia || !other.rejectMedia) && (limit.rejectReports || !other.rejectReports)
  if (!includes) return false
  return own > others || hasMoreFlags(limit, other)
}

function hasMoreFlags(limit: Strictness, other: Strictness): boolean {
  return (limit.rejectMedia && !other.rejectMedia) || (limit.rejectReports && !other.rejectReports)
}
