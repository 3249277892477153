import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import { readStatusUri } from '../../lib/addresses'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { anonymousViewer, type ViewerRef } from '../core/viewer'
import { asSelectedVisible, type VisibleStatus, visibleTo } from '../policy/visibility'

/** Id of the local or remote status with this address, as a sub-select. */
export function idByAddress(ctx: Ctx, address: string): SQL<StatusId> {
  const own = readStatusUri(ctx.config.origin, address)
  if (own === null) return sql<StatusId>`(select id from statuses where uri = ${address})`
  return sql<StatusId>`(select named.id from statuses named cross join accounts owner on owner.id = named.account_id
    where named.id = ${own.id} and named.local = 1 and lower(owner.username) = ${own.username.toLowerCase()})`
}

/** The status with this address if `viewer` may see it; a reblog resolves to its original. One statement. */
export function visibleAtAddress(ctx: Ctx, viewer: ViewerRef, address: string): Query<VisibleStatus | null> {
  return visibleShared(ctx, viewer, idByAddress(ctx, address))
}

/**
 * The status with the id expression `id` if `viewer` may see it; a reblog resolves to its original. One
 * statement.
 */
export function visibleShared(ctx: Ctx, viewer: ViewerRef, id: SQL): Query<VisibleStatus | null> {
  const found = first(
    ctx.db
      .select(getTableColumns(statuses))
      .from(statuses)
      .where(
        sql`${statuses.id} = (select coalesce(reblog_of_id, id) from statuses where id = ${id})
          and ${visibleTo(viewer, 'statuses')}`,
      ),
  )
  return map(found, (row) => (row === null ? null : asSelectedVisible(row)))
}

/** The local status with this address if it is publicly visible, as a selection (id, cursor). */
export function ownAtAddress(ctx: Ctx, address: string): SQL {
  return sql`select s.id as id, 0 as cursor from statuses s
    where s.id = ${idByAddress(ctx, address)} and s.local = 1 and s.reblog_of_id is null and ${visibleTo(anonymousViewer)}`
}
