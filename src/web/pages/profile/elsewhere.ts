import type { SQL } from 'drizzle-orm'
import { anonymousViewer } from '../../../domain/core/viewer'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { openPageWith } from '../../page-request'
import { redirectOrWarn } from '../../redirect'
import { knownAccount } from './account'

/** Leads to the page of an account: here, or on its own server, which is named before. */
export async function showElsewhere(c: AppContext, selection: SQL) {
  const ctx = c.get('ctx')
  const { found } = await openPageWith(c, loadAccounts(ctx, selection))
  const account = knownAccount(ctx.config, found)
  return redirectOrWarn(c, account.url ?? account.uri)
}

/**
 * Leads to the page of a status visible to everyone: here, or on its own server, which is named before. `acct` is that
 * of its author, where the address has one.
 */
export async function showStatusElsewhere(c: AppContext, id: number, acct: string | null = null) {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const { found } = await openPageWith(c, loadStatuses(ctx, anonymousViewer, statusesById([id])))
  const status = presentOnlyStatus({ config, now: clock.now() }, found)
  if (acct !== null && status.account.acct.toLowerCase() !== acct) throw new NotFound()
  const { url, uri } = status.reblog ?? status
  return redirectOrWarn(c, url ?? uri)
}
