import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from './account-visibility'

/** May the viewer see what the account `a` features? Not of people who are suspended or not known yet, or who block them. */
export function featuredVisibleTo(viewer: ViewerRef): SQL {
  const open = sql`a.suspended_at is null and ${isVisibleAccount('a')}`
  if (!viewer.signedIn) return open
  return sql`${open} and not exists (select 1 from blocks refusing
    where refusing.account_id = a.id and refusing.target_account_id = ${viewer.id})`
}

/** The same for a viewer given as constant SQL, null for anybody. */
export function featuredVisibleToMe(me: string): SQL {
  return sql`a.suspended_at is null and ${isVisibleAccount('a')} and not exists (select 1 from blocks refusing
    where refusing.account_id = a.id and refusing.target_account_id = ${sql.raw(me)})`
}

/**
 * Is the item `i` of the collection `c` shown to `me`, given as constant SQL? `target` is who is in it. Only their
 * owner sees those who have yet to agree; and nobody meets here whom they block, or who blocks them.
 */
export function itemVisibleTo(me: string): SQL {
  return sql`(i.state = 'accepted' or (i.state = 'pending' and c.account_id = ${sql.raw(me)}))
    and target.suspended_at is null and ${isVisibleAccount('target')} and ${sql.raw(`
    not exists (select 1 from blocks b where b.account_id = ${me} and b.target_account_id = target.id)
    and not exists (select 1 from blocks b where b.account_id = target.id and b.target_account_id = ${me})
    and not exists (select 1 from account_domain_blocks b where b.account_id = ${me} and b.domain = target.domain)`)}`
}
