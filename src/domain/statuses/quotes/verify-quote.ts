import { eq } from 'drizzle-orm'
import { quotes } from '../../../db/schema'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../platform/ports'
import { Changes, commit } from '../../core/changes'
import type { QuoteRow } from './find-quotes'
import { acceptQuote } from './quote-state'

/** Keeps what a quote that waits is a quote of, once that is known here; `accepted`, that its author agreed. */
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
