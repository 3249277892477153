import type { Config } from '../config'
import type { Query } from '../db/query'
import { contactSelection } from '../domain/instance/contact'
import type { InstanceSettings } from '../domain/instance/settings'
import type { Ctx } from '../platform/ports'
import { type AccountBundle, loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import type { Contact } from './site'

export function findContact(ctx: Ctx): Query<AccountBundle> {
  return loadAccounts(ctx, contactSelection())
}

/** Contact of the server, as the operator named it. */
export function contactOf(
  config: Config,
  settings: Pick<InstanceSettings, 'contactEmail'>,
  found: AccountBundle,
): Contact {
  const [account] = presentAccounts(config, found)
  return {
    email: settings.contactEmail,
    account:
      account === undefined
        ? null
        : {
            displayName: account.display_name === '' ? account.username : account.display_name,
            acct: account.acct,
            url: account.url ?? account.uri,
            avatarUrl: account.avatar_static,
          },
  }
}
