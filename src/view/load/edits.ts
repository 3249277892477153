import { asc, eq } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { statusEdits } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import { editLimits } from '../../lib/limits'
import type { Ctx } from '../../ports/ctx'

export type EditFacts = typeof statusEdits.$inferSelect

/** Loads the earlier versions of a status, oldest first. Visibility is checked on the status itself. */
export function loadEdits(ctx: Ctx, id: StatusId): Query<EditFacts[]> {
  return rows(
    ctx.db
      .select()
      .from(statusEdits)
      .where(eq(statusEdits.statusId, id))
      .orderBy(asc(statusEdits.id))
      .limit(editLimits.versions),
  )
}
