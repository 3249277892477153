import { namesAbove } from '../../servers/limits'
import type { DomainLimitRow } from '../find-limits'
import { isCoveredByParent } from './compare'
import { type Blocklist, type BlocklistEntry, isExcepted } from './find'
import { hasSameStrictness } from './parse'

/** Changes by a part of the approved entries of a list. */
export interface Plan {
  readonly created: readonly DomainLimitRow[]
  /** Limits with their values before and after. */
  readonly changed: readonly { readonly before: DomainLimitRow; readonly after: DomainLimitRow }[]
  readonly lifted: readonly DomainLimitRow[]
  /** Limits that other lists hold as well, with the list that they belong to from now on. */
  readonly handedOver: readonly { readonly id: number; readonly blocklistId: number }[]
  /** Entries that are in effect; all others are deleted. */
  readonly applied: readonly BlocklistEntry[]
}

export interface PartOfList {
  readonly list: Blocklist
  readonly entries: readonly BlocklistEntry[]
  readonly limits: ReadonlyMap<string, DomainLimitRow>
  readonly excepted: ReadonlySet<string>
  /** Other lists that hold a domain. */
  readonly others: ReadonlyMap<string, number>
}

type Mutable<T extends Readonly<Record<keyof T, readonly unknown[]>>> = {
  -readonly [K in keyof T]: T[K][number][]
}

/** Decides what approved entries change. A limit that a moderator made meanwhile stays as it is. */
export function planPart(
  { list, entries, limits, excepted, others }: PartOfList,
  at: { readonly now: Date; nextId(): number },
): Plan {
  const plan: Mutable<Plan> = { created: [], changed: [], lifted: [], handedOver: [], applied: [] }
  for (const entry of entries) {
    const existing = limits.get(entry.domain)
    if (entry.change === 'remove') {
      if (existing?.blocklistId !== list.id) continue
      const other = others.get(entry.domain)
      if (other === undefined) plan.lifted.push(existing)
      else plan.handedOver.push({ id: existing.id, blocklistId: other })
      continue
    }
    if (isExcepted(excepted, entry.domain)) continue
    if (list.url !== null) plan.applied.push(entry)
    if (existing === undefined) {
      if (!isCoveredByParent(entry, limits)) plan.created.push(newLimit(list, entry, at))
    } else if (!hasSameStrictness(entry, existing)) {
      const isOwn = existing.blocklistId === list.id
      if (isOwn || entry.change === 'change')
        plan.changed.push({ before: existing, after: changedLimit(existing, entry, { isOwn, now: at.now }) })
    }
  }
  return plan
}

function newLimit(
  list: Blocklist,
  { domain, severity, rejectMedia, rejectReports, obfuscate, publicComment }: BlocklistEntry,
  at: { readonly now: Date; nextId(): number },
): DomainLimitRow {
  return {
    id: at.nextId(),
    domain,
    severity,
    rejectMedia,
    rejectReports,
    obfuscate,
    publicComment,
    privateComment: '',
    createdAt: at.now,
    blocklistId: list.url === null ? null : list.id,
  }
}

/** The limit with the values of the list. Comments of moderators stay. */
function changedLimit(
  before: DomainLimitRow,
  { severity, rejectMedia, rejectReports, obfuscate, publicComment }: BlocklistEntry,
  { isOwn, now }: { readonly isOwn: boolean; readonly now: Date },
): DomainLimitRow {
  return {
    ...before,
    severity,
    rejectMedia,
    rejectReports,
    ...(isOwn ? { obfuscate, publicComment } : {}),
    createdAt: severity === before.severity ? before.createdAt : now,
  }
}

/** Known servers by the limited name that they are at or below. */
export function serversUnder(
  names: readonly string[],
  known: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const wanted = new Set(names)
  const found = new Map<string, string[]>()
  for (const server of known)
    for (const name of namesAbove(server))
      if (wanted.has(name)) found.set(name, [...(found.get(name) ?? []), server])
  return found
}
