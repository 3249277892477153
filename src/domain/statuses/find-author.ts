import { sql } from 'drizzle-orm'
import type { StatusId } from '../../lib/ids'
import type { ViewerRef } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'

/**
 * The author of the status `id` as a viewer, where the session of a browser is theirs and still opens their account;
 * otherwise a viewer who is nobody. For pages that show people their own posts and everybody else what is public.
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
