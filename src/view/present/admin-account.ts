import type { Config } from '../../config'
import type { Account } from '../../contract/entities/account'
import type { AdminAccount } from '../../contract/entities/admin/account'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { AccountIp, AdminAccountBundle, AdminAccountFacts, AdminUserFacts } from '../load/admin-accounts'
import { accountEntity } from './account'
import { presentRole } from './role'
import { timestamp } from './time'

/** Presents an account of a bundle to moderators; `NotFound` where the bundle lacks it. */
export function presentAdminAccount(config: Config, bundle: AdminAccountBundle, id: AccountId): AdminAccount {
  const facts = bundle.accounts.get(id)
  if (facts === undefined) throw new NotFound()
  const { account, user } = facts
  return {
    id: String(id),
    username: account.username,
    domain: account.domain,
    created_at: timestamp(account.createdAt),
    ...userFields(user, bundle.basicPermissions),
    sensitized: account.sensitizedAt !== null,
    silenced: account.silencedAt !== null,
    suspended: account.suspendedAt !== null,
    account: publicEntity(config, facts),
    ...(user?.createdByApplicationId == null
      ? {}
      : { created_by_application_id: String(user.createdByApplicationId) }),
    ...(user?.invitedBy == null ? {} : { invited_by_account_id: String(user.invitedBy) }),
  }
}

/** Presents the accounts of a bundle in its order. */
export function presentAdminAccounts(config: Config, bundle: AdminAccountBundle): AdminAccount[] {
  return bundle.ids.map((id) => presentAdminAccount(config, bundle, id))
}

/** Presents the one account a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyAdminAccount(
  config: Config,
  bundle: AdminAccountBundle,
  absence?: string,
): AdminAccount {
  const [id] = bundle.ids
  if (id === undefined) throw new NotFound(absence)
  return presentAdminAccount(config, bundle, id)
}

function publicEntity(config: Config, { account, moved, user }: AdminAccountFacts): Account {
  const entity = accountEntity(config, account, user?.role ?? null)
  if (moved === null || account.suspendedAt !== null) return entity
  return { ...entity, moved: accountEntity(config, moved.account, moved.role) }
}

/** Fields of local accounts; all null for remote ones. */
function userFields(user: AdminUserFacts | null, basicPermissions: number) {
  if (user === null)
    return {
      email: null,
      ip: null,
      ips: null,
      locale: null,
      invite_request: null,
      role: null,
      confirmed: null,
      approved: null,
      disabled: null,
    }
  const ips = ipsOf(user)
  return {
    email: user.email,
    ip: ips[0]?.ip ?? null,
    ips: ips.map(({ ip, usedAt }) => ({ ip, used_at: timestamp(usedAt) })),
    locale: user.locale === '' ? null : user.locale,
    invite_request: user.signUpReason,
    role: presentRole(user.role, basicPermissions),
    confirmed: user.confirmedAt !== null,
    approved: user.approved,
    disabled: user.disabledAt !== null,
  }
}

/** Addresses of sessions, and the one of the sign-up if no session has it. */
function ipsOf({ ips, signUpIp, createdAt }: AdminUserFacts): readonly AccountIp[] {
  if (signUpIp === null || ips.some(({ ip }) => ip === signUpIp)) return ips
  return [...ips, { ip: signUpIp, usedAt: createdAt }]
}
