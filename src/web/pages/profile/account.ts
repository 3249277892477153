import type { Config } from '../../../config'
import type { Account } from '../../../contract/entities/account'
import type { Status } from '../../../contract/entities/status'
import { type Handle, parseHandle } from '../../../contract/handle'
import { Gone, NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import type { AccountBundle } from '../../../view/load/accounts'
import { presentOnlyAccount } from '../../../view/present/account'

/** Handle of a local account; remote accounts have their pages on their own server. */
export function ownHandle({ config }: Ctx, text: string): Handle {
  const handle = parseHandle(text, config.ownDomains)
  if (handle === null || handle.domain !== null) throw new NotFound()
  return handle
}

/** The account as visitors may see it. `Gone` if it is suspended: it was public that it existed. */
export function knownAccount(config: Config, found: AccountBundle): Account {
  const account = presentOnlyAccount(config, found)
  if (account.suspended === true) throw new Gone('account_suspended')
  return account
}

/** Whether visitors may see a status. */
export function isOpenToAll({ visibility, local_only: isLocalOnly }: Status): boolean {
  return (visibility === 'public' || visibility === 'unlisted') && isLocalOnly !== true
}

/** `Link` header: the object for programs, and the WebFinger document of its author. */
export function linkHeader(config: Config, account: Account, activityUri: string): string {
  const resource = encodeURIComponent(`acct:${account.username}@${config.domain}`)
  return [
    `<${config.origin}/.well-known/webfinger?resource=${resource}>; rel="lrdd"; type="application/jrd+json"`,
    `<${activityUri}>; rel="alternate"; type="application/activity+json"`,
  ].join(', ')
}
