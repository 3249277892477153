import { sql } from 'drizzle-orm'
import { roles, sessions } from '../../db/schema'
import { baseRole } from './permissions'

/** Number that says whether the role of the session's user (left-joined) or the base role requires a second factor. */
export const isTwoFactorRequired = sql<number>`max(coalesce(${roles.requireTwoFactor}, 0),
  coalesce((select base.require_two_factor from roles base where base.id = ${sql.raw(String(baseRole))}), 0))`

/** Number that says whether the session's user has a second factor. */
export const hasSecondFactor = sql<number>`(exists (select 1 from totp_secrets t
    where t.account_id = ${sessions.accountId} and t.confirmed_at is not null)
  or exists (select 1 from passkeys p where p.account_id = ${sessions.accountId}))`

/** Number that says whether the session's user has to set up a second factor before anything else. */
export const lacksSecondFactor = sql<number>`(${isTwoFactorRequired} and not ${hasSecondFactor})`
