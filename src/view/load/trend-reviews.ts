import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Ids of the selected statuses about which, and about whose authors, a moderator has yet to decide. */
export function unreviewedStatuses(ctx: Ctx, selection: SQL): Query<ReadonlySet<StatusId>> {
  const found = rows(
    ctx.db
      .select({ id: sql<StatusId>`s.id`.as('id') })
      .from(sql`(${selection}) page cross join statuses s on s.id = page.id`)
      .where(
        sql`not exists (select 1 from trending_statuses trend
            where trend.status_id = s.id and trend.trendable is not null)
          and not exists (select 1 from trend_authors author
            where author.account_id = s.account_id and author.reviewed_at is not null)`,
      ),
  )
  return map(found, (list) => new Set(list.map(({ id }) => id)))
}
