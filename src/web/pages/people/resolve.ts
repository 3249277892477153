import type { Handle } from '../../../contract/handle'
import { execute } from '../../../db/query'
import { selectById } from '../../../domain/accounts/find'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { presentOnlyAccount } from '../../../view/present/account'
import { personPath } from '../../posts/post-view'

/** Looks an unknown account up on its own server, for a member, and redirects to its page. `NotFound` if there is none. */
export async function redirectToResolved(c: AppContext, { username, domain }: Handle): Promise<Response> {
  const ctx = c.get('ctx')
  if (domain === null) throw new NotFound()
  const id = await ctx.resolver.accountByHandle({ username, domain })
  if (id === null) throw new NotFound()
  const { acct } = presentOnlyAccount(ctx.config, await execute(ctx.db, loadAccounts(ctx, selectById(id))))
  return c.redirect(personPath(acct), 303)
}
