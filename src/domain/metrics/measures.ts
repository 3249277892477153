import { map, type Query } from '../../db/query'
import { estimateDistinct } from '../../lib/distinct-sketch'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ActiveDay } from './active-days'
import { type DailyCounter, daysOf, type Period, previousPeriod, sumOf } from './daily-counters'
import { hostOf } from './dimensions'
import { type Figures, loadFigures, type ServerCounter, type TagDay } from './figures'

/** Quantitative figures about the server, a hashtag or a remote server, by day. */
export interface Measure {
  readonly key: MeasureKey
  readonly unit: 'bytes' | null
  readonly total: number
  /** Total of the period before; null for figures whose total is that of all time. */
  readonly previousTotal: number | null
  readonly days: readonly { readonly day: number; readonly value: number }[]
}

/** Subjects of a measure; those it does not need are ignored. */
export interface MeasureSubject {
  readonly tagId?: TagId | undefined
  readonly domain?: string | undefined
}

/** Null for an unknown hashtag. */
type Compute = (
  figures: Figures,
  period: Period,
  subject: MeasureSubject,
  ctx: Ctx,
) => Omit<Measure, 'key'> | null

const measures = {
  active_users: ({ active }, period) => {
    const byDay = new Map(active.map(({ day, users }) => [day, users]))
    return {
      unit: null,
      total: usersIn(active, period),
      previousTotal: usersIn(active, previousPeriod(period)),
      days: valuesOf(period, (day) => byDay.get(day)),
    }
  },
  new_users: counted('registrations'),
  interactions: counted('interactions'),
  opened_reports: counted('openedReports'),
  resolved_reports: counted('resolvedReports'),
  tag_accounts: distinctOfTag(({ accounts }) => Object.keys(accounts)),
  tag_uses: (figures, period, { tagId = 0 }) => {
    const days = figures.tags.get(tagId) ?? null
    const usesIn = (range: Period) => daysOf(range).reduce((sum, day) => sum + (days?.get(day)?.uses ?? 0), 0)
    return days === null
      ? null
      : {
          unit: null,
          total: usesIn(period),
          previousTotal: usesIn(previousPeriod(period)),
          days: valuesOf(period, (day) => days.get(day)?.uses),
        }
  },
  tag_servers: distinctOfTag(({ servers }) => Object.keys(servers)),
  instance_accounts: ofServer('accounts'),
  instance_media_attachments: ({ media }, period, { domain }, ctx) => {
    // Media of remote servers are not stored here.
    const isOwn = domain !== undefined && isOwnDomain(ctx, domain)
    return {
      unit: 'bytes',
      total: isOwn ? media.total : 0,
      previousTotal: null,
      days: valuesOf(period, (day) => (isOwn ? media.days.get(day) : 0)),
    }
  },
  instance_reports: ofServer('reports'),
  instance_statuses: ofServer('statuses'),
  instance_follows: ofServer('follows'),
  instance_followers: ofServer('followers'),
} as const satisfies Readonly<Record<string, Compute>>

export type MeasureKey = keyof typeof measures
export const measureKeys = Object.keys(measures).filter((key): key is MeasureKey => key in measures)

/** Whether the measure is about a hashtag or a remote server, which has to be named. */
export function measureSubject(key: MeasureKey): 'tagId' | 'domain' | null {
  if (key.startsWith('tag_')) return 'tagId'
  return key.startsWith('instance_') ? 'domain' : null
}

/** A measure, and its subject where it needs one. */
export interface MeasureOrder extends MeasureSubject {
  readonly key: MeasureKey
}

const countedKeys: readonly MeasureKey[] = ['new_users', 'interactions', 'opened_reports', 'resolved_reports']

/**
 * Loads measures. All are read from counters kept as things happen: a row for each week, for each block of 96 days, and
 * for the latest days, however many measures there are. Null for an unknown hashtag.
 */
export function loadMeasures(
  ctx: Ctx,
  orders: readonly MeasureOrder[],
  period: Period,
): Query<readonly (Measure | null)[]> {
  const keys = new Set(orders.map(({ key }) => key))
  const both = { first: previousPeriod(period).first, last: period.last }
  const figures = loadFigures(ctx, {
    counts: countedKeys.some((key) => keys.has(key)) ? both : null,
    active: keys.has('active_users') ? both : null,
    media: keys.has('instance_media_attachments'),
    tags: {
      ids: orders.flatMap(({ key, tagId }) => (key.startsWith('tag_') ? (tagId ?? []) : [])),
      range: both,
    },
    servers: {
      domains: orders.flatMap(({ key, domain }) =>
        isOfServer(key) && domain !== undefined ? hostOf(domain) : [],
      ),
      range: period,
    },
  })
  return map(figures, (found) =>
    orders.map(({ key, ...subject }) => {
      const compute: Compute = measures[key]
      const measure = compute(found, period, subject, ctx)
      return measure === null ? null : { key, ...measure }
    }),
  )
}

function isOfServer(key: MeasureKey): boolean {
  return key.startsWith('instance_') && key !== 'instance_media_attachments'
}

function valuesOf(period: Period, value: (day: number) => number | undefined): Measure['days'] {
  return daysOf(period).map((day) => ({ day, value: value(day) ?? 0 }))
}

/** Users active in the period: exact for one day, else estimated, within the bounds that the days give. */
function usersIn(days: readonly ActiveDay[], { first: from, last }: Period): number {
  const within = days.filter(({ day }) => day >= from && day <= last)
  const counts = within.map(({ users }) => users)
  const estimate = estimateDistinct(within.map(({ sketch }) => sketch))
  const sum = counts.reduce((all, users) => all + users, 0)
  return Math.min(sum, Math.max(estimate, ...counts))
}

function counted(name: DailyCounter): Compute {
  return ({ counts }, period) => {
    const counter = counts.get(name)
    return {
      unit: null,
      total: sumOf(counter, period),
      previousTotal: sumOf(counter, previousPeriod(period)),
      days: valuesOf(period, (day) => counter?.get(day)),
    }
  }
}

/** Counts the distinct values that `of` names on the days of a hashtag. */
function distinctOfTag(of: (day: TagDay) => readonly string[]): Compute {
  return (figures, period, { tagId = 0 }) => {
    const days = figures.tags.get(tagId) ?? null
    if (days === null) return null
    const on = (day: number) => {
      const found = days.get(day)
      return found === undefined ? [] : of(found)
    }
    const distinctIn = (range: Period) => new Set(daysOf(range).flatMap(on)).size
    return {
      unit: null,
      total: distinctIn(period),
      previousTotal: distinctIn(previousPeriod(period)),
      days: valuesOf(period, (day) => on(day).length),
    }
  }
}

/** Counts of a remote server by day, and in total. */
function ofServer(name: ServerCounter): Compute {
  return ({ servers }, period, { domain = '' }) => {
    const server = servers.get(hostOf(domain))
    return {
      unit: null,
      total: server?.totals[name] ?? 0,
      previousTotal: null,
      days: valuesOf(period, (day) => server?.days.get(day)?.[name]),
    }
  }
}

function isOwnDomain({ config }: Ctx, domain: string): boolean {
  return config.ownDomains.includes(hostOf(domain))
}
