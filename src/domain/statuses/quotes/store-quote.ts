import { type SQL, sql } from 'drizzle-orm'
import { quotes, statuses } from '../../../db/schema'
import type { StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import type { Changes } from '../../core/changes'
import { notify } from '../../notifications/notify'
import { isLocalOnly } from '../find'
import type { StatusPlan } from '../plan'

type Quoting = Pick<StatusPlan['status'], 'id' | 'accountId'>

/** Adds the quote of a status. An accepted one is counted and notifies the quoted author. */
export function storeQuote(
  ctx: Ctx,
  changes: Changes,
  { status, quote }: { readonly status: Quoting; readonly quote: StatusPlan['quote'] },
): void {
  if (quote === null) return
  const { id: statusId, accountId } = status
  changes.add(ctx.db.insert(quotes).values({ ...quote, statusId, accountId, createdAt: ctx.clock.now() }))
  const { state, quotedStatusId, quotedAccountId } = quote
  if (state !== 'accepted' || quotedStatusId === null || quotedAccountId === null) return
  const notification = { to: quotedAccountId, from: accountId, type: 'quote', statusId } as const
  changes.add(countQuote(ctx, { statusId, quoted: sql`${quotedStatusId}` }, 1))
  notify(ctx, changes, [notification])
}

/**
 * Statement that changes the quote counter of the status `quoted` for the quote in `statusId`. A local-only quote
 * counts only at a local-only status.
 */
export function countQuote(
  ctx: Ctx,
  { statusId, quoted }: { readonly statusId: StatusId; readonly quoted: SQL },
  by: 1 | -1,
) {
  return ctx.db
    .update(statuses)
    .set({ quotesCount: sql`max(0, quotes_count + ${by})` })
    .where(sql`id = ${quoted} and (local_only = 1 or not ${isLocalOnly(statusId)})`)
}

/** Id of the status that `id` quotes with consent, as SQL. */
export function acceptedQuoteOf(id: StatusId): SQL {
  return sql`(select quoted_status_id from ${quotes} where status_id = ${id} and state = 'accepted')`
}
