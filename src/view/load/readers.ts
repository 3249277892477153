import { type SQL, sql } from 'drizzle-orm'
import { jsonParts, numberPart, optionalNumberPart } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import { both, map, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import { anonymousViewer } from '../../domain/core/viewer'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { quotePart, viewerPart } from './status-parts'
import {
  bundleOf,
  isVisibleRow,
  linkedCollections,
  loadSelected,
  type SelectedStatus,
  type StatusBundle,
  withReferenced,
} from './statuses'

/** A local account, or null for the content that is the same for every reader. */
export type Reader = AccountId | null

/** Visible statuses of several readers, by reader. */
export type StatusBundles = ReadonlyMap<Reader, StatusBundle>

/**
 * Loads statuses for several readers at once: `wanted` names them by rows (id, viewer_id). One statement loads
 * what is the same for every reader; another loads each reader's interactions with each status. Does not load
 * filters.
 *
 * Visibility is checked per status and reader, whatever the selection let through.
 */
export function loadForReaders(ctx: Ctx, wanted: SQL): Query<StatusBundles> {
  // Linked collections differ by reader and come with their interactions.
  const distinct = sql`select distinct id, 0 as cursor from (${wanted})`
  const shared = loadSelected(ctx, anonymousViewer, distinct, 'none')
  const values = { wanted, now: ctx.clock.now().getTime() }
  const standings = map(rows(selectStandings(ctx.db, values)), (found) => found.map(({ row }) => row))
  return map(both(shared, standings), ([facts, pairs]) => {
    const factsById = new Map(facts.map((row) => [row.status.id, row]))
    const bundles = [...Map.groupBy(pairs, ({ readerId }) => readerId)].map(([readerId, own]) => {
      const all = own.flatMap(({ id, ...standing }): SelectedStatus[] => {
        const row = factsById.get(id)
        return row === undefined ? [] : [{ ...row, ...standing }]
      })
      return [
        readerId,
        bundleOf(
          all.filter((row) => isVisibleRow(row, true)),
          all,
        ),
      ] as const
    })
    return new Map(bundles)
  })
}

const selectStandings = prepared(['wanted', 'now'], (db, { wanted, now }) => {
  const picked = sql`picked(id, cursor, viewer_id, is_end) as (select distinct id, id, viewer_id, 0 from (${wanted}))`
  const row = jsonParts({
    id: numberPart(sql`page.id`),
    cursor: optionalNumberPart(sql`page.cursor`),
    readerId: optionalNumberPart(sql`page.viewer_id`),
    isQuoted: numberPart(sql`page.is_quoted`),
    isEnd: numberPart(sql`page.is_end`),
    quote: quotePart(now),
    collections: linkedCollections,
    viewer: viewerPart,
  })
  return (
    db
      .select({ row: row.as('row') })
      .from(sql`(${withReferenced(picked, sql`viewer_id`)}) as page`)
      // Cross joins keep their order.
      .crossJoin(statuses)
      .where(sql`${statuses.id} = page.id`)
  )
})

/** Selects given statuses for given readers, for `loadForReaders`. */
export function statusesFor(pairs: readonly { readonly id: StatusId; readonly reader: Reader }[]): SQL {
  return sql`select value ->> 'id' as id, value ->> 'reader' as viewer_id from json_each(${JSON.stringify(pairs)})`
}

/** The bundle of one reader; empty if nothing was selected for them. */
export function bundleFor(bundles: StatusBundles, reader: Reader): StatusBundle {
  return bundles.get(reader) ?? { ids: [], cursors: [], endsEarly: false, statuses: new Map() }
}
