import type { DomainLimitRow } from '../find-limits'
import { isStricter } from '../limit-strictness'
import { isCoveredByParent } from './classify'
import { type BlocklistEntry, isExcepted } from './find'
import { hasSameStrictness, isSame, type ListedLimit } from './parse'
import type { NewEntry } from './store'

/** Changes to the stored entries of a list by a new version of it. */
export interface Difference {
  readonly added: readonly NewEntry[]
  readonly replaced: readonly BlocklistEntry[]
  readonly dropped: readonly number[]
}

interface Versions {
  readonly blocklistId: number
  /** The published version. */
  readonly listed: readonly ListedLimit[]
  readonly entries: readonly BlocklistEntry[]
  readonly limits: ReadonlyMap<string, DomainLimitRow>
  readonly excepted: ReadonlySet<string>
}

/**
 * Compares the published version of a list with its stored entries. What would change a limit becomes pending; a line
 * that was rejected stays so until its values change. Retracted lines become pending removals where the limit came
 * from this list.
 */
export function compareVersions({ blocklistId, listed, entries, limits, excepted }: Versions): Difference {
  const stored = new Map(entries.map((entry) => [entry.domain, entry]))
  const wanted = listed.filter(({ domain }) => !isExcepted(excepted, domain))
  const added: NewEntry[] = []
  const replaced: BlocklistEntry[] = []
  for (const line of wanted) {
    const entry = stored.get(line.domain)
    const meaning = meaningOf(line, limits, blocklistId)
    if (entry === undefined) added.push({ line, ...meaning })
    else if (entry.change === 'remove' || !hasSameStrictness(entry, line))
      replaced.push({ ...entry, ...line, ...meaning })
    else if (!isSame(entry, line)) replaced.push({ ...entry, ...line })
  }
  const names = new Set(wanted.map(({ domain }) => domain))
  const retracted = entries.filter(({ domain }) => !names.has(domain))
  const isOwn = ({ domain }: BlocklistEntry) => limits.get(domain)?.blocklistId === blocklistId
  for (const entry of retracted)
    if (isOwn(entry) && entry.change !== 'remove')
      replaced.push({ ...entry, change: 'remove', state: 'pending' })
  return { added, replaced, dropped: retracted.filter((entry) => !isOwn(entry)).map(({ id }) => id) }
}

/**
 * The change that a line means, and whether it is in effect already. A list never weakens a limit that is not its own: one
 * that is as strict covers the line.
 */
function meaningOf(
  line: ListedLimit,
  limits: ReadonlyMap<string, DomainLimitRow>,
  blocklistId: number,
): Pick<BlocklistEntry, 'change' | 'state'> {
  const existing = limits.get(line.domain)
  if (existing === undefined)
    return { change: 'add', state: isCoveredByParent(line, limits) ? 'applied' : 'pending' }
  const isOwn = existing.blocklistId === blocklistId
  const isCovered = isOwn ? hasSameStrictness(line, existing) : !isStricter(line, existing)
  return { change: 'change', state: isCovered ? 'applied' : 'pending' }
}
