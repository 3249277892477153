import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { inList, map, type Query, rows } from '../../db/query'
import { moderationEvidence, statuses } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { StatusRow } from '../policy/visibility'

/** Statuses by id, whatever their visibility, for the acts of a moderator who may name them. One statement. */
export function statusesActedOn(ctx: Ctx, ids: readonly StatusId[]): Query<readonly StatusRow[]> {
  return rows(ctx.db.select(getTableColumns(statuses)).from(statuses).where(inList(statuses.id, ids)))
}

/** Guard: these statuses, all different, still exist. */
export function allExist(ids: readonly StatusId[]): SQL {
  return sql`(select count(*) from statuses where ${inList(sql`id`, ids)}) = ${ids.length}`
}

/** Guard: the status exists and is marked so. */
export function isMarked(id: StatusId, sensitive: boolean): SQL {
  return sql`exists (select 1 from statuses where id = ${id} and sensitive = ${sensitive ? 1 : 0})`
}

/** Numbers of the statuses among `ids` that have media or a preview of a page, and of those not marked. One statement. */
export function countMarkable(
  ctx: Ctx,
  ids: readonly StatusId[],
): Query<{ readonly withMedia: number; readonly unmarked: number }> {
  const { sensitive, attachments, card } = statuses
  const found = rows(
    ctx.db
      .select({ sensitive })
      .from(statuses)
      .where(sql`${inList(statuses.id, ids)} and (${attachments} <> '[]' or ${card} is not null)`),
  )
  return map(found, (some) => ({
    withMedia: some.length,
    unmarked: some.filter((status) => !status.sensitive).length,
  }))
}

/** Statuses of a strike that were not sensitive before it. One statement. */
export function findUnmarkable(ctx: Ctx, strikeId: number): Query<readonly StatusId[]> {
  const { statusId, snapshot } = moderationEvidence
  const found = rows(
    ctx.db
      .select({ id: statusId })
      .from(moderationEvidence)
      .where(sql`${moderationEvidence.strikeId} = ${strikeId} and ${snapshot} ->> '$.sensitive' = 0`),
  )
  return map(found, (some) => some.map(({ id }) => id))
}
