import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from './account-visibility'
import { blockSql, blockText } from './block-predicates'

/** Whether the viewer may see the featured content of the account `a`: not if it is suspended, unapproved or blocks them. */
export function featuredVisibleTo(viewer: ViewerRef): SQL {
  const open = sql`a.suspended_at is null and ${isVisibleAccount('a')}`
  if (!viewer.signedIn) return open
  return sql`${open} and not ${blockSql.blocks(sql`a.id`, viewer.id)}`
}

/** `featuredVisibleTo` for a viewer given as constant SQL, null for anonymous ones. */
export function featuredVisibleToMe(me: string): SQL {
  return sql`a.suspended_at is null and ${isVisibleAccount('a')} and not ${sql.raw(blockText.blocks('a.id', me))}`
}

/**
 * Whether the item `i` of the collection `c` with the account `target` is visible to `me`, given as constant SQL. Pending
 * items are visible to the owner of the collection only; accounts blocked by, or blocking, the viewer to neither.
 */
export function itemVisibleTo(me: string): SQL {
  return sql`(i.state = 'accepted' or (i.state = 'pending' and c.account_id = ${sql.raw(me)}))
    and target.suspended_at is null and ${isVisibleAccount('target')} and ${sql.raw(`
    not ${blockText.blocksEither(me, 'target.id')} and not ${blockText.blocksDomain(me, 'target.domain')}`)}`
}
