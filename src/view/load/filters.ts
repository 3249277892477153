import { sql } from 'drizzle-orm'
import type { Filterable, FilterMatch, FilterMatcher } from '../../contract/filters'
import { filterCells, filterOf } from '../../db/filters'
import { prepared } from '../../db/prepared'
import { constant, map, type Query, rows } from '../../db/query'
import { filters, users } from '../../db/schema'
import type { Attachment, StatusTag } from '../../db/values'
import type { ViewerRef } from '../../domain/core/viewer'
import { CompiledFilters } from '../../domain/policy/filters/compiled'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/**
 * Loads the viewer's filters, compiled; null without filters. One statement, for signed-in viewers only.
 *
 * Filters compiled earlier in this isolate are reused while their version equals the database's; then the rows
 * of the filters are not read.
 */
export function loadFilters(ctx: Ctx, { id, key }: ViewerRef): Query<FilterMatcher | null> {
  if (key === undefined) return constant(null)
  const cached = ctx.filters.recall(key)
  const values = { ownerId: id, knownVersion: cached?.version ?? null }
  return map(rows(selectFilters(ctx.db, values)), (all) => {
    const [first] = all
    if (first === undefined) return null
    const { ownerId, version } = first
    if (cached?.version === version) return cached.filters
    const compiled = new CompiledFilters(all.map(filterOf).filter((rule) => rule !== null))
    ctx.filters.keep(key, { ownerId, version, filters: compiled })
    return compiled
  })
}

const selectFilters = prepared(['ownerId', 'knownVersion'], (db, { ownerId, knownVersion }) =>
  db
    .select({
      ownerId: sql<number>`${users.accountId}`.as('owner_id'),
      version: sql<number>`${users.filtersVersion}`.as('version'),
      ...filterCells,
    })
    .from(users)
    .leftJoin(
      filters,
      // Within the key: as a separate condition it would be checked only after every row was read.
      sql`${filters.accountId} = case when ${users.filtersVersion} is not ${knownVersion} then ${users.accountId} end`,
    )
    .where(sql`${users.accountId} = ${ownerId} and ${users.filtersVersion} is not null`)
    .orderBy(filters.id),
)

/** The fields of a status that filters read. */
interface StatusToFilter {
  readonly status: {
    readonly reblogOfId: StatusId | null
    readonly content: string
    readonly spoilerText: string
    readonly attachments: readonly Attachment[]
    readonly tags: readonly StatusTag[]
  }
  readonly poll: { readonly options: readonly string[] } | null
}

/** Adds the matching filters to each status. Reblogs match by the reblogged status. */
export function withFilterMatches<T extends StatusToFilter>(
  statuses: ReadonlyMap<StatusId, T>,
  filters: FilterMatcher,
  now: Date,
): ReadonlyMap<StatusId, T & { readonly filtered: readonly FilterMatch[] }> {
  const marked = [...statuses].map(([id, own]) => {
    const sharedId = own.status.reblogOfId
    const shown = (sharedId === null ? undefined : statuses.get(sharedId)) ?? own
    const ids = sharedId === null ? [id] : [id, sharedId]
    return [id, { ...own, filtered: filters.match({ ids, ...filterableOf(shown) }, now) }] as const
  })
  return new Map(marked)
}

/** Maps a status to what filters match, without its ids. */
export function filterableOf({ status, poll }: StatusToFilter): Omit<Filterable, 'ids'> {
  return {
    content: status.content,
    spoilerText: status.spoilerText,
    tags: status.tags,
    pollOptions: poll?.options ?? [],
    descriptions: status.attachments.map(({ description }) => description),
  }
}
