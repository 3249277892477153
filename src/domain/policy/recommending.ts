import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from './account-visibility'
import { blockSql } from './block-predicates'
import { accountNotBlockedOrMuted } from './blocks-and-mutes'

/** Whether the account `a` may be recommended, by its own row. Same text as in the indexes of the directory. */
export const mayBeListed = sql`a.discoverable = 1 and a.suspended_at is null and a.silenced_at is null
  and a.moved_to_account_id is null and a.memorial = 0`

/**
 * Whether the account `a` may be recommended to this viewer: discoverable, not moved, not limited by moderators, and
 * neither blocked or muted by the viewer nor blocking them.
 */
export function mayBeRecommended(viewer: ViewerRef, now: Date): SQL {
  const open = sql`${mayBeListed} and ${isVisibleAccount('a')}`
  if (!viewer.signedIn) return open
  return sql`${open} and ${accountNotBlockedOrMuted(viewer, now, 'a')}
    and not ${blockSql.blocks(sql`a.id`, viewer.id)}`
}
