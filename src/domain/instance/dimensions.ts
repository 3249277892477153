import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, constant, first, map, type Query, rawResults, rows } from '../../db/query'
import { applications, tags, users } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { TagId } from '../../lib/ids'
import { apiVersion, softwareVersion } from '../../lib/version'
import { weekOf } from '../../lib/weeks'
import type { Ctx } from '../../platform/ports'
import { loadActiveDays } from './active-days'
import { loadDayCounts, loadMediaBytes, sumOf } from './daily-counters'
import { loadTagUses, type TagUse } from './find-tag-uses'
import { dayStart, type Period } from './metric-period'

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

/** Null for an unknown hashtag. */
type Load = (ctx: Ctx, request: DimensionRequest) => Query<readonly DimensionEntry[] | null>

/** Users read for their languages, of those active last. */
const maxUsers = 2_000

const loaders = {
  languages: (ctx, { period, limit }) =>
    found(
      ctx,
      sql`select locale as key, count(*) as value from (select locale from ${users}
        where last_active_at >= ${dayStart(period.first).getTime()}
          and last_active_at < ${dayStart(period.last + 1).getTime()}
        order by last_active_at desc ${limitTo(maxUsers)}) group by locale order by value desc, key ${limitTo(limit)}`,
    ),
  sources: (ctx, { period, limit }) =>
    found(
      ctx,
      sql`select coalesce(application.name, iif(source.id = '0', 'web', 'unknown')) as key, sum(source.amount) as value
        from (select substr(item.key, 8, instr(item.key, ':') - 8) as id, item.value as amount
          from activity_weeks week cross join json_each(week.days) item
          where week.week between ${weekOf(dayStart(period.first))} and ${weekOf(dayStart(period.last))}
            and item.key like 'source/%'
            and cast(substr(item.key, instr(item.key, ':') + 1) as integer) between ${period.first} and ${period.last}
          ) source
        left join ${applications} application on application.id = cast(source.id as integer)
        group by 1 order by value desc, key ${limitTo(limit)}`,
    ),
  servers: (ctx, { period, limit }) =>
    map(
      combineQueries({ days: loadActiveDays(ctx, period), own: loadDayCounts(ctx, period) }),
      ({ days, own }) =>
        highest(
          [
            ...days.flatMap(({ servers }) => Object.entries(Amounts.parse(servers))),
            [ctx.config.domain, sumOf(own.get('statuses'), period)] as const,
          ],
          limit,
        ),
    ),
  space_usage: (ctx) =>
    map(
      combineQueries({ size: rawResults([ctx.db.run(sql`select 1`)]), media: loadMediaBytes(ctx) }),
      ({ size, media }) => [
        bytesOf('d1', 'D1', databaseSize(size[0])),
        bytesOf('media', 'Media', sumOf(media)),
      ],
    ),
  software_versions: () =>
    constant([
      { key: 'fieldfare', name: 'Fieldfare', value: softwareVersion, unit: null },
      { key: 'mastodon', name: 'Mastodon API', value: apiVersion.mastodon, unit: null },
    ]),
  tag_servers: (ctx, request) => ofTag(ctx, request, ({ domain }) => domain ?? ctx.config.domain),
  tag_languages: (ctx, request) => ofTag(ctx, request, ({ language }) => language ?? 'und'),
  instance_accounts: (ctx, { limit, domain = '' }) =>
    found(
      ctx,
      sql`select a.username as key, most.local_followers as value
        from (select account_id, local_followers from followed_accounts
          where domain = ${domain.trim().toLowerCase()} and local_followers > 0
          order by local_followers desc ${limitTo(limit)}) most
        cross join accounts a on a.id = most.account_id order by value desc, key`,
    ),
  instance_languages: (ctx, { period, limit, domain = '' }) =>
    map(
      rows(
        ctx.db
          .select({ languages: sql<string>`languages`.as('languages') })
          .from(sql`domain_days`)
          .where(
            sql`domain = ${domain.trim().toLowerCase()} and day between ${period.first} and ${period.last}`,
          ),
      ),
      (days) =>
        highest(
          days.flatMap(({ languages }) => Object.entries(Amounts.parse(JSON.parse(languages)))),
          limit,
        ),
    ),
} as const satisfies Readonly<Record<string, Load>>

export type DimensionKey = keyof typeof loaders
export const dimensionKeys = Object.keys(loaders).filter((key): key is DimensionKey => key in loaders)

/** Whether the dimension is about a hashtag or a remote server, which has to be named. */
export function dimensionSubject(key: DimensionKey): 'tagId' | 'domain' | null {
  if (key.startsWith('tag_')) return 'tagId'
  return key.startsWith('instance_') ? 'domain' : null
}

/** Loads a dimension, highest first. Null for an unknown hashtag. */
export function loadDimension(
  ctx: Ctx,
  key: DimensionKey,
  request: DimensionRequest,
): Query<Dimension | null> {
  const load: Load = loaders[key]
  return map(load(ctx, request), (entries) => (entries === null ? null : { key, entries }))
}

const Amounts = z.record(z.string(), z.number())

/** Entries of a selection (key, value). */
function found(ctx: Ctx, selection: SQL): Query<readonly DimensionEntry[]> {
  const query = ctx.db
    .select({ key: sql<string>`entry.key`.as('key'), value: sql<number>`entry.value`.as('value') })
    .from(sql`(${selection}) as entry`)
  return map(rows(query), (list) => list.map(({ key, value }) => ({ key, name: key, value, unit: null })))
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
  ctx: Ctx,
  { period, limit, tagId = 0 }: DimensionRequest,
  of: (use: TagUse) => string,
): Query<readonly DimensionEntry[] | null> {
  const query = combineQueries({
    tag: first(ctx.db.select({ id: tags.id }).from(tags).where(sql`${tags.id} = ${tagId}`)),
    uses: loadTagUses(ctx, tagId, period),
  })
  return map(query, ({ tag, uses }) => {
    if (tag === null) return null
    return highest(
      uses.map((use) => [of(use), 1] as const),
      limit,
    )
  })
}

function bytesOf(key: string, name: string, value: number): DimensionEntry {
  return { key, name, value, unit: 'bytes' }
}

const Result = z.object({ meta: z.object({ size_after: z.number().default(0) }) })

/** Size of the database, which D1 tells with every result. */
function databaseSize(result: unknown): number {
  return Result.parse(result).meta.size_after
}
