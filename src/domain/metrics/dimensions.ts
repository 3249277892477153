import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { apiVersion, softwareVersion } from '../../contract/version'
import {
  combineQueries,
  constant,
  execute,
  inList,
  limitTo,
  map,
  type Query,
  rawResults,
  rows,
} from '../../db/query'
import { applications } from '../../db/schema'
import { dayOf } from '../../lib/days'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { daysOf, type Period, sumOf } from './daily-counters'
import { type Amounts, type Figures, loadFigures } from './figures'

/** An entry of a dimension. */
export interface DimensionEntry {
  readonly key: string
  /** Names of languages are their codes, which the presenter writes out. */
  readonly name: string
  readonly value: number | string
  readonly unit: 'bytes' | null
}

/** Qualitative figures: what there is most of. */
export interface Dimension {
  readonly key: DimensionKey
  readonly entries: readonly DimensionEntry[]
}

export interface DimensionRequest {
  readonly period: Period
  /** Longest list of entries. */
  readonly limit: number
  readonly tagId?: TagId | undefined
  readonly domain?: string | undefined
}

/** Figures, and what single dimensions need beside them. */
interface Found {
  readonly figures: Figures
  /** Size of the database. */
  readonly bytes: number
  /** Remote accounts by their followers here, by host. */
  readonly followed: ReadonlyMap<string, readonly DimensionEntry[]>
}

/** Null for an unknown hashtag. */
type Compute = (found: Found, request: DimensionRequest, ctx: Ctx) => readonly DimensionEntry[] | null

/** Applications looked up by name. */
const maxSources = 40

const dimensions = {
  languages: ({ figures }, { period, limit }) => highest(usersByLanguage(figures, period), limit),
  // Ids of applications, which `nameSources()` names.
  sources: ({ figures }, { period, limit }) =>
    highest(
      [...figures.counts].flatMap(([name, counts]) =>
        name.startsWith('source/') ? [[name.slice('source/'.length), sumOf(counts, period)] as const] : [],
      ),
      Math.min(limit, maxSources),
    ),
  servers: ({ figures }, { period, limit }, { config }) =>
    highest(
      [
        ...figures.active
          .filter(({ day }) => day >= period.first && day <= period.last)
          .flatMap(({ servers }) => Object.entries(servers)),
        [config.domain, sumOf(figures.counts.get('statuses'), period)] as const,
      ],
      limit,
    ),
  space_usage: ({ figures, bytes }) => [
    bytesOf('d1', 'D1', bytes),
    bytesOf('media', 'Media', figures.media.total),
  ],
  software_versions: () => [
    { key: 'fieldfare', name: 'Fieldfare', value: softwareVersion, unit: null },
    { key: 'mastodon', name: 'Mastodon API', value: apiVersion.mastodon, unit: null },
  ],
  tag_servers: ({ figures }, request, { config }) =>
    ofTag(figures, request, ({ servers }) =>
      Object.entries(servers).map(([host, uses]) => [host === '.' ? config.domain : host, uses] as const),
    ),
  tag_languages: ({ figures }, request) =>
    ofTag(figures, request, ({ languages }) => Object.entries(languages)),
  instance_accounts: ({ followed }, { domain = '' }) => followed.get(hostOf(domain)) ?? [],
  instance_languages: ({ figures }, { period, limit, domain = '' }) => {
    const server = figures.servers.get(hostOf(domain))
    const days = daysOf(period).flatMap((day) => server?.days.get(day) ?? [])
    return highest(
      days.flatMap(({ languages }) => Object.entries(languages)),
      limit,
    )
  },
} as const satisfies Readonly<Record<string, Compute>>

export type DimensionKey = keyof typeof dimensions
export const dimensionKeys = Object.keys(dimensions).filter((key): key is DimensionKey => key in dimensions)

/** Whether the dimension is about a hashtag or a remote server, which has to be named. */
export function dimensionSubject(key: DimensionKey): 'tagId' | 'domain' | null {
  if (key.startsWith('tag_')) return 'tagId'
  return key.startsWith('instance_') ? 'domain' : null
}

/** A dimension, and its subject where it needs one. */
export interface DimensionOrder extends Omit<DimensionRequest, 'period' | 'limit'> {
  readonly key: DimensionKey
}

/**
 * Loads dimensions, highest first, from counters kept as things happen: a row for each week, for each block of 96 days,
 * and for the latest days. Null for an unknown hashtag.
 */
export function loadDimensions(
  ctx: Ctx,
  orders: readonly DimensionOrder[],
  { period, limit }: Pick<DimensionRequest, 'period' | 'limit'>,
): Query<readonly (Dimension | null)[]> {
  const keys = new Set(orders.map(({ key }) => key))
  const domainsOf = (wanted: DimensionKey) =>
    orders.flatMap(({ key, domain }) => (key === wanted && domain !== undefined ? hostOf(domain) : []))
  // Users move on to later days.
  const untilNow = { first: period.first, last: Math.max(period.last, dayOf(ctx.clock.now())) }
  const found = combineQueries({
    figures: loadFigures(ctx, {
      counts: keys.has('sources') || keys.has('servers') ? period : null,
      active: keys.has('languages') ? untilNow : keys.has('servers') ? period : null,
      media: keys.has('space_usage'),
      tags: {
        ids: orders.flatMap(({ key, tagId }) => (key.startsWith('tag_') ? (tagId ?? []) : [])),
        range: period,
      },
      servers: { domains: domainsOf('instance_languages'), range: period },
    }),
    bytes: keys.has('space_usage') ? loadDatabaseSize(ctx) : constant(0),
    followed: loadFollowed(ctx, domainsOf('instance_accounts')[0], limit),
  })
  return map(found, (facts) =>
    orders.map(({ key, ...subject }) => {
      const compute: Compute = dimensions[key]
      const entries = compute(facts, { period, limit, ...subject }, ctx)
      return entries === null ? null : { key, entries }
    }),
  )
}

/** Names the applications of `sources`: those of the same name are one. The pages of this server are the website. */
export async function nameSources(ctx: Ctx, { entries }: Dimension): Promise<readonly DimensionEntry[]> {
  const ids = entries.map(({ key }) => key).filter((id) => id !== '0')
  const found = ctx.db
    .select({ id: applications.id, name: applications.name })
    .from(applications)
    .where(inList(applications.id, ids))
  const names = new Map((await execute(ctx.db, rows(found))).map(({ id, name }) => [String(id), name]))
  return highest(
    entries.map(
      ({ key, value }) => [key === '0' ? 'web' : (names.get(key) ?? 'unknown'), Number(value)] as const,
    ),
    entries.length,
  )
}

function loadDatabaseSize(ctx: Ctx): Query<number> {
  return map(rawResults([ctx.db.run(sql`select 1`)]), ([result]) => databaseSize(result))
}

function loadFollowed(ctx: Ctx, domain: string | undefined, limit: number): Query<Found['followed']> {
  if (domain === undefined) return constant(new Map())
  const found = ctx.db
    .select({ key: sql<string>`a.username`.as('key'), value: sql<number>`most.local_followers`.as('value') })
    .from(
      sql`(select account_id, local_followers from followed_accounts
        where domain = ${domain} and local_followers > 0
        order by local_followers desc ${limitTo(limit)}) most
      cross join accounts a on a.id = most.account_id order by value desc, key`,
    )
  return map(
    rows(found),
    (list) => new Map([[domain, list.map(({ key, value }) => ({ key, name: key, value, unit: null }))]]),
  )
}

/** Users by language whose latest activity was in the period. */
function usersByLanguage(
  { active }: Figures,
  { first, last }: Period,
): readonly (readonly [string, number])[] {
  return active.flatMap(({ locales }) =>
    Object.entries(locales).flatMap(([at, users]) => {
      const [day = '', language = ''] = at.split('/')
      const isWithin = Number(day) >= first && Number(day) <= last
      return isWithin ? [[language === '' ? 'und' : language, users] as const] : []
    }),
  )
}

/** Adds the amounts of each key up; the highest first. */
function highest(amounts: readonly (readonly [string, number])[], limit: number): DimensionEntry[] {
  const sums = new Map<string, number>()
  for (const [key, amount] of amounts) sums.set(key, (sums.get(key) ?? 0) + amount)
  return [...sums]
    .filter(([, value]) => value > 0)
    .toSorted(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([key, value]) => ({ key, name: key, value, unit: null }))
}

function ofTag(
  { tags }: Figures,
  { period, limit, tagId = 0 }: DimensionRequest,
  of: (day: {
    readonly servers: Amounts
    readonly languages: Amounts
  }) => readonly (readonly [string, number])[],
): readonly DimensionEntry[] | null {
  const days = tags.get(tagId) ?? null
  if (days === null) return null
  return highest(
    daysOf(period).flatMap((day) => {
      const found = days.get(day)
      return found === undefined ? [] : of(found)
    }),
    limit,
  )
}

/** Host as it is stored, of one that was typed. */
export function hostOf(domain: string): string {
  return domain.trim().toLowerCase()
}

function bytesOf(key: string, name: string, value: number): DimensionEntry {
  return { key, name, value, unit: 'bytes' }
}

const Result = z.object({ meta: z.object({ size_after: z.number().default(0) }) })

/** Size of the database, which D1 reports with every result. */
function databaseSize(result: unknown): number {
  return Result.parse(result).meta.size_after
}
