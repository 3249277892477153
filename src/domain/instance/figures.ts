import { all, combineQueries, constant, map, type Query } from '../../db/query'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type ActiveDay, loadActiveDays } from './active-days'
import {
  type DayCounts,
  type DayRange,
  loadDayCounts,
  loadMediaBytes,
  type MediaBytes,
} from './daily-counters'
import { loadServerDays, loadTagDays, type ServerDays, type TagDay } from './subject-days'

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
