import type { Account } from '../../contract/entities/account'
import { execute } from '../../db/query'
import { selectById } from '../../domain/accounts/find'
import type { Handle } from '../../lib/handle'
import type { Ctx } from '../../ports/ctx'
import { loadAccount } from '../../view/load/accounts'
import { presentAccounts } from '../../view/present/account'

/** The account with this handle, resolved over WebFinger if needed; empty if it cannot be resolved. */
export async function resolveHandle(ctx: Ctx, { username, domain }: Handle): Promise<readonly Account[]> {
  const id = domain === null ? null : await ctx.resolver.accountByHandle({ username, domain })
  if (id === null) return []
  return presentAccounts(ctx.config, await execute(ctx.db, loadAccount(ctx, selectById(id))))
}
