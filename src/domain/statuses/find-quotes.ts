import type { Ctx } from '../../context'
import { map, type Query, together } from '../../db/query'
import { statusUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { QuoteStanding } from '../policy/interaction'
import type { VisibleStatus } from '../policy/visibility'
import { refById } from '../viewer'
import { originalOf, visibleOriginal } from './find'
import { standingTo } from './find-standing'

/** A status somebody wants to quote, and how they stand to its author. */
export interface QuoteTarget {
  readonly status: VisibleStatus
  readonly uri: string
  readonly standing: QuoteStanding
  /** By name or by domain. */
  readonly blocksAuthor: boolean
}

/**
 * What quoting the status `id` would quote: a reblog stands for what it shares. Null when `account` may not see it.
 * Two statements.
 */
export function quoteTarget(ctx: Ctx, account: AccountId, id: StatusId): Query<QuoteTarget | null> {
  const found = together({
    status: visibleOriginal(ctx, refById(account), id),
    standing: standingTo(ctx, account, originalOf(id)),
  })
  return map(found, ({ status, standing }) => {
    if (status === null || standing === null) return null
    return {
      status,
      uri: status.uri ?? statusUri(ctx.config.origin, standing.authorName, status.id),
      standing: { isAuthor: status.accountId === account, followsAuthor: standing.followsParent },
      blocksAuthor: standing.blocksAuthor,
    }
  })
}
