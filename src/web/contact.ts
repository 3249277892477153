import type { Config } from '../config'
import type { Account } from '../contract/entities/account'
import type { Query } from '../db/query'
import type { InstanceSettings } from '../domain/instance/settings'
import { contactSelection, staffSelection } from '../domain/instance/texts'
import type { Ctx } from '../ports/ctx'
import { type AccountBundle, loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import type { AccountSummary, Contact, StaffMember } from './site'

export function findContact(ctx: Ctx): Query<AccountBundle> {
  return loadAccounts(ctx, contactSelection())
}

/** People who run the server, as far as their role is shown. */
export function findStaff(ctx: Ctx): Query<AccountBundle> {
  return loadAccounts(ctx, staffSelection())
}

export function staffOf(config: Config, found: AccountBundle): readonly StaffMember[] {
  return presentAccounts(config, found).map((account) => ({
    account: summaryOf(account),
    role: account.roles?.[0]?.name ?? '',
  }))
}

/** Contact of the server, as the operator named it. */
export function contactOf(
  config: Config,
  settings: Pick<InstanceSettings, 'contactEmail'>,
  found: AccountBundle,
): Contact {
  const [account] = presentAccounts(config, found)
  return { email: settings.contactEmail, account: account === undefined ? null : summaryOf(account) }
}

export function summaryOf(account: Account): AccountSummary {
  return {
    displayName: account.display_name === '' ? account.username : account.display_name,
    acct: account.acct,
    url: account.url ?? account.uri,
    avatarUrl: account.avatar_static,
  }
}
