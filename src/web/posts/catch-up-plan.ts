import type { CatchUpChoices } from '../../db/schema/accounts'

/** Entry of home, with the person or conversation that it is grouped by, and the post that it shows: of a boost the original. */
export interface FoundEntry {
  readonly id: number
  readonly group: number
  readonly shown: number
}

/** Entry that is not shown yet. Those of one group follow each other; the first of a group says so. */
export interface PlannedEntry {
  readonly id: number
  readonly isFirst: boolean
}

/** Entries that an address holds at most. Home has fewer. */
const mostEntries = 600

/**
 * Entries in the order of the pages, of those that come newest first. A post that several people boosted, or that is there itself,
 * counts once, where it is oldest: that is how it would have been met first.
 */
export function planOf(
  found: readonly FoundEntry[],
  order: CatchUpChoices['order'],
): readonly PlannedEntry[] {
  const oldest = new Map(found.map(({ id, shown }) => [shown, id]))
  const once = found.filter(({ id, shown }) => oldest.get(shown) === id)
  // Groups are made in the order of their newest posts, which sorting keeps among equals.
  const groups = [...Map.groupBy(once, ({ group }) => group).values()]
  const sorted = order === 'most' ? groups.toSorted((a, b) => b.length - a.length) : groups
  return sorted.flatMap((group) => group.map(({ id }, index) => ({ id, isFirst: index === 0 })))
}

/** The plan from an entry on; all of it where the entry is gone. */
export function planFrom(plan: readonly PlannedEntry[], id: number | null): readonly PlannedEntry[] {
  return plan.slice(
    Math.max(
      0,
      plan.findIndex((entry) => entry.id === id),
    ),
  )
}

/** Part of a group that a page shows. */
export interface PlannedGroup {
  readonly ids: readonly number[]
  /** True for a group that neither began before the part nor goes on behind it. */
  readonly isWhole: boolean
}

/** The groups of the first `count` entries of a plan. */
export function groupsOf(plan: readonly PlannedEntry[], count: number): readonly PlannedGroup[] {
  const starts = plan.slice(0, count).flatMap(({ isFirst }, index) => (isFirst || index === 0 ? [index] : []))
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? count
    return {
      ids: plan.slice(start, end).map(({ id }) => id),
      isWhole: plan[start]?.isFirst === true && plan[end]?.isFirst !== false,
    }
  })
}

// Ids are written as their distance from the newest one, which makes them short: `-` begins a group, `.` goes on in it.

const digits = 36

/** A plan as a part of an address. */
export function writePlan(plan: readonly PlannedEntry[], newest: number): string {
  return plan.map(({ id, isFirst }) => `${isFirst ? '-' : '.'}${(newest - id).toString(digits)}`).join('')
}

/** The plan that a part of an address holds; null for any other text. */
export function readPlan(text: string, newest: number): readonly PlannedEntry[] | null {
  if (!/^([-.][0-9a-z]{1,11})*$/.test(text)) return null
  const plan = [...text.matchAll(/([-.])([0-9a-z]+)/g)].map(([, sign, distance = '']) => ({
    id: newest - Number.parseInt(distance, digits),
    isFirst: sign === '-',
  }))
  return plan.length <= mostEntries && plan.every(({ id }) => id > 0) ? plan : null
}

/** Entries that scans have found until now as a part of an address: those of a group behind its id, each boost with its original. */
export function writeFound(found: readonly FoundEntry[], newest: number): string {
  return [...Map.groupBy(found, ({ group }) => group)]
    .map(([group, entries]) => {
      const written = entries.map(({ id, shown }) => {
        const distance = (newest - id).toString(digits)
        return shown === id ? distance : `${distance}_${shown.toString(digits)}`
      })
      return `-${[group.toString(digits), ...written].join('.')}`
    })
    .join('')
}

/** The entries that such a part holds, newest first; null for any other text. */
export function readFound(text: string, newest: number): readonly FoundEntry[] | null {
  if (!/^(-[0-9a-z]{1,11}(\.[0-9a-z]{1,11}(_[0-9a-z]{1,11})?)+)*$/.test(text)) return null
  const found = text
    .split('-')
    .slice(1)
    .flatMap((written) => {
      const [group = '', ...entries] = written.split('.')
      return entries.map((entry) => {
        const [distance = '', original] = entry.split('_')
        const id = newest - Number.parseInt(distance, digits)
        const shown = original === undefined ? id : Number.parseInt(original, digits)
        return { id, group: Number.parseInt(group, digits), shown }
      })
    })
  const isValid = found.length <= mostEntries && found.every(({ id }) => id > 0)
  return isValid ? found.toSorted((a, b) => b.id - a.id) : null
}
