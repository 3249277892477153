import { sql } from 'drizzle-orm'
import { jsonRows } from '../../../db/query'
import { blocklistEntries } from '../../../db/schema'
import type { Ctx } from '../../../ports/ctx'
import type { Changes } from '../../core/changes'
import { namesAbove } from '../../servers/limits'
import type { DomainLimitRow } from '../find-limits'
import { isStricter } from '../limit-domain'
import { type BlocklistEntry, isExcepted } from './find'
import { hasSameStrictness, isSame, type ListedLimit } from './parse'

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

/** Entries in one statement: a parameter takes two megabytes. */
const entriesPerStatement = 2_000

/** A new entry of a list. */
interface NewEntry {
  readonly line: ListedLimit
  readonly change: BlocklistEntry['change']
  readonly state: BlocklistEntry['state']
}

/** Adds statements that store entries of a list, each domain once. */
export function storeEntries(
  ctx: Ctx,
  changes: Changes,
  blocklistId: number,
  entries: readonly NewEntry[],
): void {
  for (let start = 0; start < entries.length; start += entriesPerStatement) {
    const part = entries.slice(start, start + entriesPerStatement).map(({ line, change, state }) => ({
      ...line,
      id: ctx.ids.next(),
      change,
      state,
    }))
    changes.add(
      ctx.db.run(sql`insert into ${blocklistEntries}
        (id, blocklist_id, domain, severity, reject_media, reject_reports, obfuscate, public_comment, change, state)
        select item.value ->> 'id', ${blocklistId}, item.value ->> 'domain', item.value ->> 'severity',
          item.value ->> 'rejectMedia', item.value ->> 'rejectReports', item.value ->> 'obfuscate',
          item.value ->> 'publicComment', item.value ->> 'change', item.value ->> 'state'
        from ${jsonRows(part)} where true on conflict (blocklist_id, domain) do nothing`),
    )
  }
}

/** Adds statements that replace values, change and state of entries. */
export function replaceEntries(ctx: Ctx, changes: Changes, entries: readonly BlocklistEntry[]): void {
  for (let start = 0; start < entries.length; start += entriesPerStatement)
    changes.add(
      ctx.db.run(sql`update ${blocklistEntries} set
          severity = item.value ->> 'severity', reject_media = item.value ->> 'rejectMedia',
          reject_reports = item.value ->> 'rejectReports', obfuscate = item.value ->> 'obfuscate',
          public_comment = item.value ->> 'publicComment', change = item.value ->> 'change',
          state = item.value ->> 'state'
        from ${jsonRows(entries.slice(start, start + entriesPerStatement))}
        where blocklist_entries.id = item.value ->> 'id'`),
    )
}
