import { eq, sql } from 'drizzle-orm'
import { quotes } from '../../../db/schema'
import { Conflict } from '../../../errors'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import type { Changes } from '../../core/changes'
import { notify } from '../../notifications/notify'
import type { StatusRow } from '../../policy/visibility'
import { withdrawNotification } from '../withdraw-notification'
import type { QuoteRow } from './find-quotes'
import { countQuote } from './store-quote'

/** The quoted status of a quote, and evidence of the consent. */
export interface QuoteConsent {
  readonly quotedStatusId: StatusId
  readonly quotedAccountId: AccountId
  readonly authorizationUri?: string | null
  readonly requestUri?: string | null
}

/** Adds acceptance of a pending quote: it is counted, and a local quoted author is notified. */
export function acceptQuote(ctx: Ctx, changes: Changes, quote: QuoteRow, consent: QuoteConsent): void {
  const { statusId, accountId } = quote
  const notification = { to: consent.quotedAccountId, from: accountId, type: 'quote', statusId } as const
  changes.require(isUnchanged(quote), new Conflict('answered_meanwhile')).add(
    ctx.db
      .update(quotes)
      .set({ ...consent, state: 'accepted' })
      .where(eq(quotes.statusId, statusId)),
    countQuote(ctx, { statusId, quoted: sql`${consent.quotedStatusId}` }, 1),
  )
  changes.publish({ kind: 'status.edited', statusId })
  notify(ctx, changes, [notification])
}

/** Adds an accepted quote to a status stored without one. */
export function attachAcceptedQuote(
  ctx: Ctx,
  changes: Changes,
  { id: statusId, accountId }: Pick<StatusRow, 'id' | 'accountId'>,
  quote: QuoteConsent & { readonly quotedUri: string },
): void {
  const notification = { to: quote.quotedAccountId, from: accountId, type: 'quote', statusId } as const
  changes
    .require(hasNoQuote(statusId), new Conflict('quoted_meanwhile'))
    .add(
      ctx.db
        .insert(quotes)
        .values({ ...quote, statusId, accountId, state: 'accepted', createdAt: ctx.clock.now() }),
      countQuote(ctx, { statusId, quoted: sql`${quote.quotedStatusId}` }, 1),
    )
    .publish({ kind: 'status.edited', statusId })
  notify(ctx, changes, [notification])
}

/** Adds that the quoted status of an accepted quote was deleted, as its server reports. */
export function markQuotedDeleted(ctx: Ctx, changes: Changes, quote: QuoteRow): void {
  const { statusId, quotedStatusId } = quote
  changes
    .require(isUnchanged(quote), new Conflict('answered_meanwhile'))
    .add(
      ctx.db.update(quotes).set({ quotedStatusId: null }).where(eq(quotes.statusId, statusId)),
      countQuote(ctx, { statusId, quoted: sql`${quotedStatusId}` }, -1),
    )
    .publish({ kind: 'status.edited', statusId })
}

/** Guard: the status has no quote yet. */
export function hasNoQuote(statusId: StatusId) {
  return sql`not exists (select 1 from quotes where status_id = ${statusId})`
}

/** Adds the end of an accepted or pending quote. */
export function endQuote(ctx: Ctx, changes: Changes, quote: QuoteRow, state: 'rejected' | 'revoked'): void {
  const { statusId, accountId, quotedStatusId, quotedAccountId } = quote
  changes
    .require(isUnchanged(quote), new Conflict('answered_meanwhile'))
    .add(
      ctx.db.update(quotes).set({ state }).where(eq(quotes.statusId, statusId)),
      withdrawNotification(ctx, {
        from: accountId,
        type: 'quote',
        statusId,
        to: quotedAccountId === null ? [] : [quotedAccountId],
      }),
    )
    .publish({ kind: 'status.edited', statusId })
  if (quote.state === 'accepted')
    changes.add(countQuote(ctx, { statusId, quoted: sql`${quotedStatusId}` }, -1))
}

function isUnchanged({ statusId, state }: QuoteRow) {
  return sql`exists (select 1 from quotes where status_id = ${statusId} and state = ${state})`
}
