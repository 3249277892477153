import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { execute } from '../../db/query'
import { selectByHandle, selectById } from '../../domain/accounts/find'
import { followAccount } from '../../domain/relationships/follow'
import { NotFound } from '../../errors'
import { parseHandle } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { loadAccount, loadAccounts } from '../../view/load/accounts'
import { presentOnlyAccount } from '../../view/present/account'
import { user } from '../caller'
import { endpoint } from '../endpoint'

export const followByHandle = [
  endpoint({
    method: 'POST',
    path: '/api/v1/follows',
    summary: 'Follow by handle, whether the account is known or not, as apps before 3.0 did',
    auth: user('write:follows'),
    limit: 'follows',
    deprecatedSince: new Date('2019-10-03T00:00:00Z'),
    input: z.object({ uri: z.string() }),
    output: Account,
    run: async (ctx, { viewer, input }) => {
      const id = await accountNamed(ctx, input.uri.replace(/^acct:/i, ''))
      await followAccount(ctx, viewer, id, {})
      return presentOnlyAccount(ctx.config, await execute(ctx.db, loadAccount(ctx, selectById(id))))
    },
  }),
]

/** Resolves a handle to an account id, over WebFinger if it is unknown here. `NotFound` if that fails. */
async function accountNamed(ctx: Ctx, text: string): Promise<AccountId> {
  const handle = parseHandle(text, ctx.config.ownDomains)
  if (handle === null) throw new NotFound()
  const { username, domain } = handle
  const [known] = (await execute(ctx.db, loadAccounts(ctx, selectByHandle(handle)))).ids
  const id = known ?? (domain === null ? null : await ctx.resolver.accountByHandle({ username, domain }))
  if (id === null) throw new NotFound()
  return id
}
