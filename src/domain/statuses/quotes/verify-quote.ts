import { eq } from 'drizzle-orm'
import { quotes } from '../../../db/schema'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import type { QuoteRow } from './find-quotes'
import { acceptQuote } from './quote-state'

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
