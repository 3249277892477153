import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from './account-visibility'
import { accountNotBlockedOrMuted } from './blocks-and-mutes'

/** May the account `a` be put before anybody, by its own row? Word for word as in the indexes of the directory. */
export const mayBeListed = sql`a.discoverable = 1 and a.suspended_at is null and a.silenced_at is null
  and a.moved_to_account_id is null and a.memorial = 0`

/**
 * May the account `a` be put before this viewer as somebody to meet? Whoever wants to be found, is here and nowhere
 * else, and is not limited by moderators; nobody the viewer hides, and nobody who blocks them.
 */
export function mayBeRecommended(viewer: ViewerRef, now: Date): SQL {
  const open = sql`${mayBeListed} and ${isVisibleAccount('a')}`
  if (!viewer.signedIn) return open
  return sql`${open} and ${accountNotBlockedOrMuted(viewer, now, 'a')}
    and not exists (select 1 from blocks refusing
      where refusing.account_id = a.id and refusing.target_account_id = ${viewer.id})`
}
