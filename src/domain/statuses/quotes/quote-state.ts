import { eq, type SQL, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../../db/query'
import { quotes, statuses } from '../../../db/schema'
import { Conflict, Forbidden, NotFound } from '../../../errors'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { type Viewer, viewerById } from '../../core/viewer'
import { notify } from '../../notifications/notify'
import type { StatusRow } from '../../policy/visibility'
import { isLocalOnly, visibleStatus } from '../find'
import type { StatusPlan } from '../plan'
import { withdrawNotification } from '../withdraw-notification'
import { type QuoteRow, quotingFacts } from './find-quotes'

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

/**
 * Revokes the consent of `viewer` to the quote of their status `id` in the status `quotingId`. Repeating it
 * changes nothing. `NotFound` if either is not visible or the quote is of another status, `Forbidden` if the
 * quoted status is not theirs. Emits `quote.revoked`, and `status.updated` if the quoting status is local.
 */
export async function revokeQuote(
  ctx: Ctx,
  viewer: Viewer,
  { id, quotingId }: { readonly id: StatusId; readonly quotingId: StatusId },
): Promise<void> {
  const { quoted, quoting, facts } = await execute(
    ctx.db,
    combineQueries({
      quoted: visibleStatus(ctx, viewerById(viewer.id), id),
      quoting: visibleStatus(ctx, viewerById(viewer.id), quotingId),
      facts: quotingFacts(ctx, sql`${quotingId}`),
    }),
  )
  if (quoted === null || quoting === null) throw new NotFound()
  if (quoted.accountId !== viewer.id) throw new Forbidden()
  if (facts === null || facts.quote.quotedStatusId !== id) throw new NotFound()
  const { quote, local, localOnly } = facts
  if (quote.state === 'revoked') return
  const { statusId, accountId } = quote
  const changes = new Changes()
  endQuote(ctx, changes, quote, 'revoked')
  if (!quoted.localOnly)
    changes.emit({ kind: 'quote.revoked', accountId: viewer.id, statusId, quotingAccountId: accountId })
  if (local && !localOnly) changes.emit({ kind: 'status.updated', accountId, statusId })
  await commit(ctx, changes)
}

/** Stores the quoted status of a pending quote once it is known, and with `accepted` the consent of its author. */
export async function storeVerifiedQuote(
  ctx: Ctx,
  quote: QuoteRow,
  found: {
    readonly quotedStatusId: StatusId
    readonly quotedAccountId: AccountId
    readonly accepted: boolean
  },
): Promise<void> {
  const { accepted, ...quoted } = found
  const changes = new Changes()
  if (accepted) acceptQuote(ctx, changes, quote, quoted)
  else changes.add(ctx.db.update(quotes).set(quoted).where(eq(quotes.statusId, quote.statusId)))
  await commit(ctx, changes)
}
