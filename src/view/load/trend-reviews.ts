import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows } from '../../db/sql'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Ids of the trending statuses about which, and about whose authors, a moderator has yet to decide. */
export function unreviewedStatuses(ctx: Ctx, ids: readonly StatusId[]): Query<ReadonlySet<StatusId>> {
  const found = rows(
    ctx.db
      .select({ id: sql<StatusId>`item.value`.as('id') })
      .from(sql`${jsonRows(ids)} left join trending_statuses trend on trend.status_id = item.value`)
      .where(
        sql`trend.trendable is null and not exists (select 1 from trend_authors author
          where author.account_id = trend.account_id and author.reviewed_at is not null)`,
      ),
  )
  return map(found, (list) => new Set(list.map(({ id }) => id)))
}
