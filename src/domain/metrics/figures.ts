import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { all, combineQueries, constant, first, map, type Query, rows } from '../../db/query'
import { domainDays, serverBlocks, tagBlocks, tagCounts, tags } from '../../db/schema'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type ActiveDay, loadActiveDays } from './active-days'
import {
  blockOf,
  type DayCounts,
  type DayRange,
  loadDayCounts,
  loadMediaBytes,
  type MediaBytes,
} from './daily-counters'

/** Stored figures that measures or dimensions are made of, each with the days it is wanted for. */
export interface FiguresWanted {
  readonly counts: DayRange | null
  readonly active: DayRange | null
  readonly media: boolean
  readonly tags: { readonly ids: readonly TagId[]; readonly range: DayRange }
  readonly servers: { readonly domains: readonly string[]; readonly range: DayRange }
}

export interface Figures {
  readonly counts: ReadonlyMap<string, DayCounts>
  readonly active: readonly ActiveDay[]
  readonly media: MediaBytes
  /** Null for an unknown hashtag. */
  readonly tags: ReadonlyMap<TagId, ReadonlyMap<number, TagDay> | null>
  readonly servers: ReadonlyMap<string, ServerDays>
}

/** Loads stored figures, each of them once, however many measures and dimensions want it. */
export function loadFigures(ctx: Ctx, wanted: FiguresWanted): Query<Figures> {
  const { counts, active, media, tags, servers } = wanted
  const [tagIds, domains] = [[...new Set(tags.ids)], [...new Set(servers.domains)]]
  return combineQueries({
    counts: counts === null ? constant(new Map<string, DayCounts>()) : loadDayCounts(ctx, counts),
    active: active === null ? constant<ActiveDay[]>([]) : loadActiveDays(ctx, active),
    media: media ? loadMediaBytes(ctx) : constant({ total: 0, days: new Map<number, number>() }),
    tags: map(
      all(tagIds.map((id) => map(loadTagDays(ctx, id, tags.range), (days) => [id, days] as const))),
      (list) => new Map(list),
    ),
    servers: map(
      all(
        domains.map((name) => map(loadServerDays(ctx, name, servers.range), (days) => [name, days] as const)),
      ),
      (list) => new Map(list),
    ),
  })
}

const Amounts = z.record(z.string(), z.number())
export type Amounts = Readonly<Record<string, number>>

/** Uses of a hashtag on a day. */
export interface TagDay {
  readonly uses: number
  /** Accounts by id, the first 200 of the day. */
  readonly accounts: Amounts
  /** Uses by host, `.` for local ones; beyond the first 100 hosts together under `*`. */
  readonly servers: Amounts
  readonly languages: Amounts
}

const TagDays = z.record(z.string(), z.tuple([z.number(), Amounts, Amounts, Amounts]))

/** Uses of a hashtag by day; null for an unknown one. A row is read for each block of 96 days, and two more. */
function loadTagDays(ctx: Ctx, tagId: TagId, range: DayRange): Query<ReadonlyMap<number, TagDay> | null> {
  const found = combineQueries({
    tag: first(ctx.db.select({ id: tags.id }).from(tags).where(sql`${tags.id} = ${tagId}`)),
    blocks: rows(
      ctx.db
        .select({ days: tagBlocks.days })
        .from(tagBlocks)
        .where(
          sql`${tagBlocks.tagId} = ${tagId}
            and ${tagBlocks.block} between ${blockOf(range.first)} and ${blockOf(range.last)}`,
        ),
    ),
    latest: first(ctx.db.select().from(tagCounts).where(sql`${tagCounts.tagId} = ${tagId}`)),
  })
  return map(found, ({ tag, blocks, latest }) => {
    if (tag === null) return null
    const days = new Map<number, TagDay>()
    for (const { days: text } of blocks)
      for (const [day, [uses, accounts, servers, languages]] of Object.entries(
        TagDays.parse(JSON.parse(text)),
      ))
        days.set(Number(day), { uses, accounts, servers, languages })
    if (latest !== null) days.set(latest.day, latest)
    return days
  })
}

/** Changes of a remote server on a day. */
export interface ServerDay {
  readonly accounts: number
  readonly statuses: number
  readonly reports: number
  readonly follows: number
  readonly followers: number
  readonly languages: Amounts
}

export type ServerCounter = Exclude<keyof ServerDay, 'languages'>

/** Changes of a remote server by day, and its totals of today. */
interface ServerDays {
  readonly days: ReadonlyMap<number, ServerDay>
  readonly totals: Readonly<Record<ServerCounter, number>>
}

const PackedDays = z.record(
  z.string(),
  z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), Amounts]),
)

/** Changes of a server by day. A row is read for each block of 96 days, and one for the latest day. */
function loadServerDays(ctx: Ctx, domain: string, range: DayRange): Query<ServerDays> {
  const found = combineQueries({
    blocks: rows(
      ctx.db
        .select({ days: serverBlocks.days })
        .from(serverBlocks)
        .where(
          sql`${serverBlocks.domain} = ${domain}
            and ${serverBlocks.block} between ${blockOf(range.first)} and ${blockOf(range.last)}`,
        ),
    ),
    latest: first(
      ctx.db.select().from(domainDays).where(sql`${domainDays.domain} = ${domain} order by day desc limit 1`),
    ),
  })
  return map(found, ({ blocks, latest }) => {
    const days = new Map<number, ServerDay>()
    for (const { days: text } of blocks)
      for (const [day, values] of Object.entries(PackedDays.parse(JSON.parse(text)))) {
        const [accounts, statuses, reports, follows, followers, languages] = values
        days.set(Number(day), { accounts, statuses, reports, follows, followers, languages })
      }
    if (latest !== null) days.set(latest.day, latest)
    return {
      days,
      totals: {
        accounts: latest?.allAccounts ?? 0,
        statuses: latest?.allStatuses ?? 0,
        reports: latest?.allReports ?? 0,
        follows: latest?.allFollows ?? 0,
        followers: latest?.allFollowers ?? 0,
      },
    }
  })
}
