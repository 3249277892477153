import * as z from 'zod'
import { FamiliarFollowers } from '../../contract/entities/relationship'
import { IdList } from '../../contract/scalars'
import { combineQueries } from '../../db/query'
import { familiarFollowers, selectFamiliar } from '../../domain/relationships/find-familiar'
import { loadAccounts } from '../../view/load/accounts'
import { presentAccount } from '../../view/present/account'
import { user } from '../caller'
import { readEndpoint } from '../endpoint'

/** Each account costs a walk through all accounts the viewer follows. */
const maxAccounts = 40

export const accountFamiliarFollowers = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/familiar_followers',
    summary: 'Who of those the viewer follows also follows some accounts',
    auth: user('read:follows'),
    input: z.object({ id: IdList.transform((ids) => ids.slice(0, maxAccounts)) }),
    output: z.array(FamiliarFollowers),
    read: (ctx, { input: { id: ids }, as, now }) => {
      const request = { viewer: as, ids, now }
      return combineQueries({
        familiar: familiarFollowers(ctx, request),
        accounts: loadAccounts(ctx, selectFamiliar(request)),
      })
    },
    show: ({ config }, { found: { familiar, accounts } }) =>
      familiar.map(({ id, followers }) => ({
        id: String(id),
        accounts: followers
          .filter((follower) => accounts.accounts.has(follower))
          .map((follower) => presentAccount(config, accounts, follower)),
      })),
  }),
]
