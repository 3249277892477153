import { combineQueries, map, type Query, rows } from '../../db/query'
import type { BoundedSelection } from '../../db/selection'
import { selectMuteExpiries } from '../../domain/policy/block-rows'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountBundle, loadAccounts } from './accounts'

export interface MuteBundle {
  readonly accounts: AccountBundle
  /** Expiry of each mute; absent for permanent ones. */
  readonly expiries: ReadonlyMap<AccountId, Date>
}

/** Loads muted accounts with the expiry of each mute; the cursor of the selection is the id of the mute. */
export function loadMutes(ctx: Ctx, selection: BoundedSelection): Query<MuteBundle> {
  const ends = rows(selectMuteExpiries(ctx, selection.page))
  return map(combineQueries({ accounts: loadAccounts(ctx, selection), ends }), (found) => ({
    accounts: found.accounts,
    expiries: new Map(
      found.ends.flatMap(({ id, expiresAt }) => (expiresAt === null ? [] : [[id, expiresAt] as const])),
    ),
  }))
}
