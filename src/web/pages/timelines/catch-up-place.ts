import { type CatchUpChoices, catchUpGroups } from '../../../db/schema/accounts'
import type { CatchUpBounds, HomeScan } from '../../../domain/timelines/home'
import { firstIdAt } from '../../../lib/ids'
import type { AppContext } from '../../../ports/app-env'
import { readMaxId } from '../../pagination'
import { paths } from '../../paths'
import {
  type FoundEntry,
  type PlannedEntry,
  planFrom,
  planOf,
  readFound,
  readPlan,
  writeFound,
  writePlan,
} from '../../posts/catch-up-plan'

/** Hours of a span; `visit` is all that was not read yet. */
export const spans = ['visit', '3', '8', '24'] as const
export type Span = (typeof spans)[number]

const hour = 3_600_000
/** Hours of a visit without a marker of home. */
const fallbackHours = 24

/** Entries that are grouped at most; home keeps fewer. */
const mostGrouped = 500

/** Place in catch-up, as the address of a page says it. */
export interface Place {
  readonly span: Span
  /** Choice that the groups are made by, so that another one does not mix them; null at the beginning. */
  readonly by: CatchUpChoices['by'] | null
  /** Id of the newest entry; null at the beginning. */
  readonly newest: number | null
  /** Entries that are not shown yet; null until all have been found. */
  readonly plan: readonly PlannedEntry[] | null
  /** Entries that were found until now, and the id that the next scan begins below. */
  readonly found: readonly FoundEntry[]
  readonly below: number | null
  /** First entry of the page that the member comes back to; null for the first page. */
  readonly from: number | null
}

function spanOf(text: string | undefined): Span {
  return spans.find((one) => one === text) ?? 'visit'
}

/** The place in an address; its beginning where the address was changed. */
export function placeOf(c: AppContext): Place {
  const query = (name: string) => c.req.query(name)
  const span = spanOf(query('span'))
  const start = { span, by: null, newest: null, plan: null, found: [], below: null, from: null }
  const by = catchUpGroups.find((one) => one === query('by'))
  const newest = readMaxId(query('newest') ?? '')
  if (by === undefined || newest === undefined) return start
  const written = query('plan')
  if (written !== undefined) {
    const plan = readPlan(written, newest)
    return plan === null ? start : { ...start, by, newest, plan }
  }
  const from = readMaxId(query('from') ?? '') ?? null
  const text = query('found')
  if (text === undefined) return { ...start, by, newest, below: newest + 1, from }
  const [found, below] = [readFound(text, newest), readMaxId(query('below') ?? '')]
  return found === null || below === undefined ? start : { ...start, by, newest, found, below, from }
}

export function addressOf({ span, by, newest, plan, found, below, from }: Place): string {
  const values = { span, by: String(by), newest: String(newest) }
  const place = from === null ? {} : { from: String(from) }
  const rest =
    plan === null
      ? { ...place, found: writeFound(found, newest ?? 0), below: String(below) }
      : { plan: writePlan(plan, newest ?? 0) }
  return `${paths.catchUp}?${new URLSearchParams({ ...values, ...rest })}`
}

/** Short address of a page, which forms of its posts hold: to come back there, the span is scanned again. */
export function wayBack({ span, by, newest }: Place, first: PlannedEntry | undefined): string {
  const place = first === undefined ? {} : { by: String(by), newest: String(newest), from: String(first.id) }
  return `${paths.catchUp}?${new URLSearchParams({ span, ...place })}`
}

/** Bounds of a span; `visit` ends at what was read, or without a marker after some hours. */
export function boundsOf(span: Span, below: number | null, now: Date): CatchUpBounds {
  const hoursAgo = (hours: number) => firstIdAt(new Date(now.getTime() - hours * hour)) - 1
  if (span === 'visit') return { after: 0, otherwise: hoursAgo(fallbackHours), below }
  return { after: hoursAgo(Number(span)), otherwise: 0, below }
}

/** The place that a scan leads to: with a plan, once it has reached the end of the span. */
export function placeBehind(place: Place, scan: HomeScan, choices: CatchUpChoices): Place {
  if (place.plan !== null) return place
  const by = place.by ?? choices.by
  const newest = place.newest ?? scan.newest
  const found = [
    ...place.found,
    ...scan.entries.map(({ id, shown, person, conversation }) => ({
      id,
      shown,
      group: by === 'person' ? person : conversation,
    })),
  ]
  const { below } = scan
  const isAll = below === null || found.length >= mostGrouped
  const plan = isAll ? planFrom(planOf(found, choices.order), place.from) : null
  return { ...place, by, newest, found, below, plan }
}
