import { sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../../db/query'
import { Forbidden, NotFound } from '../../../errors'
import type { StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { type Viewer, viewerById } from '../../core/viewer'
import { visibleStatus } from '../find'
import { quotingFacts } from './find-quotes'
import { endQuote } from './quote-state'

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
