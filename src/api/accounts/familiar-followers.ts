import * as z from 'zod'
import { FamiliarFollowers } from '../../contract/entities/account'
import { IdList } from '../../contract/scalars'
import { execute } from '../../db/query'
import { familiarFollowers } from '../../domain/relationships/find'
import { accountsById, loadAccounts } from '../../view/load/accounts'
import { presentAccount } from '../../view/present/account'
import { user } from '../caller'
import { readEndpoint } from '../endpoint'

const maxAccounts = 40

export const accountFamiliarFollowers = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/familiar_followers',
    summary: 'Who of those the viewer follows also follows some accounts',
    auth: user('read:follows'),
    input: z.object({ id: IdList.transform((ids) => ids.slice(0, maxAccounts)) }),
    output: z.array(FamiliarFollowers),
    read: (ctx, { input: { id: ids }, as, now }) => familiarFollowers(ctx, { viewer: as, ids, now }),
    show: async (ctx, { found: familiar }) => {
      // In a round trip of its own: in the same, it would look for them all again.
      const ids = [...new Set(familiar.flatMap(({ followers }) => followers))]
      const accounts = await execute(ctx.db, loadAccounts(ctx, accountsById(ids)))
      return familiar.map(({ id, followers }) => ({
        id: String(id),
        accounts: followers
          .filter((follower) => accounts.accounts.has(follower))
          .map((follower) => presentAccount(ctx.config, accounts, follower)),
      }))
    },
  }),
]
