import { sql } from 'drizzle-orm'
import { combineQueries, constant, first, map, type Query, rows } from '../../db/query'
import { tags } from '../../db/schema'
import { estimateDistinct } from '../../lib/distinct-sketch'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { type ActiveDay, loadActiveDays } from './active-days'
import { type DailyCounter, loadDayCounts, loadMediaBytes, sumOf } from './daily-counters'
import { loadTagUses, type TagUse } from './find-tag-uses'
import { daysOf, type Period, previousPeriod } from './metric-period'

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
type Load = (ctx: Ctx, period: Period, subject: MeasureSubject) => Query<Omit<Measure, 'key'> | null>

const loaders = {
  active_users: (ctx, period) =>
    map(loadActiveDays(ctx, withPrevious(period)), (days) => {
      const byDay = new Map(days.map(({ day, users }) => [day, users]))
      return {
        unit: null,
        total: usersIn(days, period),
        previousTotal: usersIn(days, previousPeriod(period)),
        days: valuesOf(period, (day) => byDay.get(day)),
      }
    }),
  new_users: counted('registrations'),
  interactions: counted('interactions'),
  opened_reports: counted('openedReports'),
  resolved_reports: counted('resolvedReports'),
  tag_accounts: ofTag(({ accountId }) => accountId),
  tag_uses: ofTag((use) => use),
  tag_servers: ofTag(({ domain }) => domain),
  instance_accounts: ofServer('accounts'),
  instance_media_attachments: (ctx, period, { domain }) =>
    // Media of remote servers are not stored here.
    domain === undefined || !isOwnDomain(ctx, domain)
      ? constant({ unit: 'bytes', total: 0, previousTotal: null, days: valuesOf(period, () => 0) })
      : map(loadMediaBytes(ctx), (media) => ({
          unit: 'bytes',
          total: sumOf(media),
          previousTotal: null,
          days: valuesOf(period, (day) => media.get(day)),
        })),
  instance_reports: ofServer('reports'),
  instance_statuses: ofServer('statuses'),
  instance_follows: ofServer('follows'),
  instance_followers: ofServer('followers'),
} as const satisfies Readonly<Record<string, Load>>

export type MeasureKey = keyof typeof loaders
export const measureKeys = Object.keys(loaders).filter((key): key is MeasureKey => key in loaders)

/** Whether the measure is about a hashtag or a remote server, which has to be named. */
export function measureSubject(key: MeasureKey): 'tagId' | 'domain' | null {
  if (key.startsWith('tag_')) return 'tagId'
  return key.startsWith('instance_') ? 'domain' : null
}

/**
 * Loads a measure. All but those of hashtags are read from counters: a row for each week, or for each day of both
 * periods. Null for an unknown hashtag.
 */
export function loadMeasure(
  ctx: Ctx,
  key: MeasureKey,
  { period, ...subject }: MeasureSubject & { readonly period: Period },
): Query<Measure | null> {
  const load: Load = loaders[key]
  return map(load(ctx, period, subject), (measure) => (measure === null ? null : { key, ...measure }))
}

function withPrevious(period: Period): Period {
  return { first: previousPeriod(period).first, last: period.last }
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

function counted(name: DailyCounter): Load {
  return (ctx, period) =>
    map(loadDayCounts(ctx, withPrevious(period)), (counts) => {
      const counter = counts.get(name)
      return {
        unit: null,
        total: sumOf(counter, period),
        previousTotal: sumOf(counter, previousPeriod(period)),
        days: valuesOf(period, (day) => counter?.get(day)),
      }
    })
}

/** Counts the distinct values that `of` takes among the uses of a hashtag. */
function ofTag(of: (use: TagUse) => unknown): Load {
  return (ctx, period, { tagId = 0 }) => {
    const found = combineQueries({
      tag: first(ctx.db.select({ id: tags.id }).from(tags).where(sql`${tags.id} = ${tagId}`)),
      uses: loadTagUses(ctx, tagId, period),
      before: loadTagUses(ctx, tagId, previousPeriod(period)),
    })
    const distinct = (uses: readonly TagUse[]) => new Set(uses.map(of)).size
    return map(found, ({ tag, uses, before }) => {
      if (tag === null) return null
      const byDay = Map.groupBy(uses, ({ day }) => day)
      return {
        unit: null,
        total: distinct(uses),
        previousTotal: distinct(before),
        days: valuesOf(period, (day) => distinct(byDay.get(day) ?? [])),
      }
    })
  }
}

/** Counts of a remote server by day, and in total. */
function ofServer(name: 'accounts' | 'statuses' | 'reports' | 'follows' | 'followers'): Load {
  const [column, total] = [sql.raw(name), sql.raw(`all_${name}`)]
  return (ctx, period, { domain = '' }) => {
    const ofDomain = sql`domain = ${domain.trim().toLowerCase()}`
    const found = combineQueries({
      days: rows(
        ctx.db
          .select({ day: sql<number>`day`.as('day'), value: sql<number>`${column}`.as('value') })
          .from(sql`domain_days`)
          .where(sql`${ofDomain} and day between ${period.first} and ${period.last}`),
      ),
      total: first(
        ctx.db
          .select({ value: sql<number>`${total}`.as('value') })
          .from(sql`domain_days`)
          .where(ofDomain)
          .orderBy(sql`day desc`)
          .limit(1),
      ),
    })
    return map(found, ({ days, total: all }) => {
      const byDay = new Map(days.map(({ day, value }) => [day, value]))
      return {
        unit: null,
        total: all?.value ?? 0,
        previousTotal: null,
        days: valuesOf(period, (day) => byDay.get(day)),
      }
    })
  }
}

function isOwnDomain({ config }: Ctx, domain: string): boolean {
  return config.ownDomains.includes(domain.trim().toLowerCase())
}
