import type { SQL } from 'drizzle-orm'
import { combineQueries, constant, type Query } from '../../db/query'
import type { ViewerRef } from '../../domain/core/viewer'
import type { Ctx } from '../../ports/ctx'
import { type AccountBundle, loadAccounts, noAccounts } from './accounts'
import { loadStatuses, type StatusBundle } from './statuses'
import { loadTags, type TagFacts, usesPerWeek } from './tags'

/** Selections (id, cursor) of the results of a search; null for a kind that has none. */
interface Selections {
  readonly accounts: SQL | null
  readonly statuses: SQL | null
  readonly tags: SQL | null
}

export interface SearchResults {
  readonly accounts: AccountBundle
  readonly statuses: StatusBundle
  readonly tags: readonly TagFacts[]
}

/** The API gives no more of a kind at once. */
const mostResults = 40

const noStatuses: Query<StatusBundle> = constant({
  ids: [],
  cursors: [],
  endsEarly: false,
  statuses: new Map(),
})
const noTags: Query<readonly TagFacts[]> = constant([])

/** Loads the results of a search: of one kind alone, or of all. */
export function loadSearch(
  ctx: Ctx,
  as: ViewerRef,
  { accounts, statuses, tags }: Selections,
  { type, limit }: { readonly type: string | null; readonly limit: number },
): Query<SearchResults> {
  const uses = usesPerWeek(type === null ? 'part' : 'alone', Math.min(limit, mostResults))
  return combineQueries({
    accounts: accounts === null ? noAccounts : loadAccounts(ctx, accounts),
    statuses: statuses === null ? noStatuses : loadStatuses(ctx, as, statuses),
    tags: tags === null ? noTags : loadTags(ctx, as.id, tags, uses),
  })
}
