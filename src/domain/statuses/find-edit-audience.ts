import { and, eq, type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Quoter, quotesBehind } from './quotes/find-quotes'

/** Rebloggers, and quotes, that the request of an edit notifies, at some eleven rows each. */
const notifiedByRequest = 50

/** The last reblogger and the last quoting status of a part. */
export interface EditPosition {
  readonly accountId: AccountId
  readonly quoteId: StatusId
}

/** The next local accounts that an edit concerns because they reblogged or quoted the status. */
export interface EditAudience {
  readonly rebloggers: readonly AccountId[]
  readonly quoters: readonly Quoter[]
  /** Position of those that follow; null where these are the last ones. */
  readonly next: EditPosition | null
}

/** The first accounts that an edit of the status `id` concerns. Two statements. */
export function editAudience(ctx: Ctx, id: SQL<StatusId>): Query<EditAudience> {
  return editAudienceBehind(ctx, id, { after: { accountId: 0, quoteId: 0 }, count: notifiedByRequest })
}

/** The next accounts that an edit of the status `id` concerns. Two statements. */
export function editAudienceBehind(
  ctx: Ctx,
  id: SQL<StatusId>,
  { after, count }: { readonly after: EditPosition; readonly count: number },
): Query<EditAudience> {
  const found = combineQueries({
    rebloggers: localRebloggers(ctx, id, { after: after.accountId, count }),
    quotes: quotesBehind(ctx, id, { after: after.quoteId, count }),
  })
  return map(found, ({ rebloggers, quotes }) => ({
    rebloggers,
    quoters: quotes.filter(({ isLocal }) => isLocal === 1),
    next:
      rebloggers.length < count && quotes.length < count
        ? null
        : {
            accountId: rebloggers.at(-1) ?? after.accountId,
            quoteId: quotes.at(-1)?.statusId ?? after.quoteId,
          },
  }))
}

/** Local accounts that reblogged the status, by their ids. One statement. */
function localRebloggers(
  ctx: Ctx,
  id: SQL<StatusId>,
  { after, count }: { readonly after: AccountId; readonly count: number },
): Query<readonly AccountId[]> {
  const { accountId, reblogOfId, local } = statuses
  const found = rows(
    ctx.db
      .select({ id: accountId })
      .from(statuses)
      .where(
        sql`${reblogOfId} = ${id} and ${local} = 1 and ${accountId} > ${after} order by ${accountId} ${limitTo(count)}`,
      ),
  )
  return map(found, (all) => all.map((row) => row.id))
}

/** A status that was edited, by its author. */
export interface EditedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
}

/** The status, as long as it is the version edited at this time. One statement. */
export function editedStatus(ctx: Ctx, id: StatusId, editedAt: Date): Query<EditedStatus | null> {
  return first(
    ctx.db
      .select({ id: statuses.id, accountId: statuses.accountId })
      .from(statuses)
      .where(and(eq(statuses.id, id), eq(statuses.editedAt, editedAt))),
  )
}
