import { type SQL, sql } from 'drizzle-orm'
import type { StatusId } from '../../lib/ids'
import type { ViewerRef } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'

/**
 * Viewer that is the author of the status `id` if the browser session belongs to them and their account is
 * active; otherwise an anonymous viewer. Used by pages that show authors their own statuses and everyone else
 * public ones.
 */
export function authorBySession(sessionHash: string, id: StatusId, now: Date): ViewerRef {
  return {
    signedIn: true,
    id: sql`(select browser.account_id from sessions browser cross join statuses written
      where browser.token_hash = ${sessionHash} and browser.expires_at > ${now.getTime()}
        and written.id = ${id} and written.account_id = browser.account_id
        and ${isActiveAccount('browser.account_id')})`,
  }
}

/**
 * Viewer that is the account `owner` selects if the browser session belongs to it and it is active; otherwise an
 * anonymous viewer.
 */
export function ownerBySession(sessionHash: string, owner: SQL, now: Date): ViewerRef {
  return {
    signedIn: true,
    id: sql`(select browser.account_id from sessions browser
      where browser.token_hash = ${sessionHash} and browser.expires_at > ${now.getTime()}
        and browser.account_id = ${owner} and ${isActiveAccount('browser.account_id')})`,
  }
}
