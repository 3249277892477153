import { namesAbove } from '../../instance/limits'
import type { DomainLimitRow } from '../find-limits'
import { isStricter } from '../limit-strictness'
import { isExcepted } from './find'
import { hasSameStrictness, type ListedLimit } from './parse'

/** A line of a list and the limit that it would change. */
export interface Conflict {
  readonly listed: ListedLimit
  readonly existing: DomainLimitRow
}

/** Lines of a list by what they mean here. */
export interface Classified {
  /** Domains without a limit. */
  readonly added: readonly ListedLimit[]
  /** Domains whose limit has other values. */
  readonly conflicts: readonly Conflict[]
  /** Limited already, themselves or by a parent. */
  readonly covered: readonly ListedLimit[]
  /** Excepted from lists by moderators. */
  readonly excepted: readonly ListedLimit[]
}

/** Compares the lines of a list with the limits that exist. */
export function classify(
  listed: readonly ListedLimit[],
  limits: ReadonlyMap<string, DomainLimitRow>,
  excepted: ReadonlySet<string>,
): Classified {
  const added: ListedLimit[] = []
  const conflicts: Conflict[] = []
  const covered: ListedLimit[] = []
  const left: ListedLimit[] = []
  for (const line of listed) {
    const existing = limits.get(line.domain)
    if (isExcepted(excepted, line.domain)) left.push(line)
    else if (existing === undefined) (isCoveredByParent(line, limits) ? covered : added).push(line)
    else if (hasSameStrictness(line, existing)) covered.push(line)
    else conflicts.push({ listed: line, existing })
  }
  return { added, conflicts, covered, excepted: left }
}

/** Whether a parent has a limit that is as strict. */
export function isCoveredByParent(line: ListedLimit, limits: ReadonlyMap<string, DomainLimitRow>): boolean {
  return namesAbove(line.domain)
    .slice(1)
    .some((name) => {
      const parent = limits.get(name)
      return parent !== undefined && !isStricter(line, parent)
    })
}
