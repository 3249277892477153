import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { Flag, Limit, Offset } from '../contract/scalars'
import { combineQueries } from '../db/query'
import { selectDirectory } from '../domain/accounts/find-directory'
import { pickSettings } from '../domain/instance/settings'
import { NotFound } from '../errors'
import { loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { anyone, readEndpoint } from './endpoint'

export const directory = [
  readEndpoint({
    path: '/api/v1/directory',
    summary: 'People who want to be found',
    auth: anyone(null, true),
    input: z.object({
      offset: Offset(),
      limit: Limit(40, 80),
      order: z.enum(['active', 'new']).catch('active'),
      local: Flag.default(false),
    }),
    output: z.array(Account),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        settings: pickSettings(ctx, ['profileDirectory']),
        accounts: loadAccounts(ctx, selectDirectory(as, input, now)),
      }),
    show: ({ config }, { found }) => {
      if (!found.settings.profileDirectory) throw new NotFound()
      return presentAccounts(config, found.accounts)
    },
  }),
]
