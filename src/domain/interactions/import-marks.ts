import { sql } from 'drizzle-orm'
import { combineQueries, execute, jsonRows } from '../../db/query'
import { bookmarks, favourites, statuses } from '../../db/schema'
import { NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { findArchiveImport, visibleAt } from '../statuses/archived/find-imported'

export interface MarksOrder {
  readonly importId: number
  readonly kind: 'favourites' | 'bookmarks'
  /** Addresses of statuses. */
  readonly uris: readonly string[]
}

/**
 * Favourites or bookmarks the statuses at these addresses, as an archive lists them, and answers the addresses of those
 * that are here. Quiet: no activity, no notification. Idempotent. `NotFound` for the import of another account.
 */
export async function importMarks(
  ctx: Ctx,
  viewer: Viewer,
  { importId, kind, uris }: MarksOrder,
): Promise<ReadonlySet<string>> {
  const { source, known } = await execute(
    ctx.db,
    combineQueries({
      source: findArchiveImport(ctx, viewer.id, importId),
      known: visibleAt(ctx, viewer.id, uris),
    }),
  )
  if (source === null) throw new NotFound()
  const found = new Map<string, StatusId>(known.map(({ asked, id }) => [asked, id]))
  const marks = [...new Set(found.values())].map((statusId) => ({ id: ctx.ids.next(), statusId }))
  if (marks.length > 0) await commit(ctx, marksOf(ctx, viewer, { kind, marks }))
  return new Set(found.keys())
}

interface Marks {
  readonly kind: MarksOrder['kind']
  readonly marks: readonly { readonly id: number; readonly statusId: StatusId }[]
}

function marksOf(ctx: Ctx, viewer: Viewer, { kind, marks }: Marks): Changes {
  const table = kind === 'favourites' ? favourites : bookmarks
  const changes = new Changes().add(
    ctx.db.run(sql`insert into ${table} (id, account_id, status_id)
      select item.value ->> 'id', ${viewer.id}, item.value ->> 'statusId' from ${jsonRows(marks)}
      where true on conflict (status_id, account_id) do nothing`),
  )
  if (kind === 'bookmarks') return changes
  // Only the statement above can have made these ids: counts move exactly where it did.
  return changes.add(
    ctx.db.run(sql`update ${statuses} set favourites_count = favourites_count + 1,
        untrusted_favourites_count = untrusted_favourites_count + 1
      where id in (select item.value ->> 'statusId' from ${jsonRows(marks)}
        cross join favourites made on made.id = item.value ->> 'id')`),
  )
}
