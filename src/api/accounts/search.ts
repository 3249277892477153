import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { Flag, Int, Limit } from '../../contract/scalars'
import { selectMatching } from '../../domain/accounts/find-matching'
import { parseHandle } from '../../lib/handle'
import { loadAccounts, noAccounts } from '../../view/load/accounts'
import { presentAccounts } from '../../view/present/account'
import { user } from '../caller'
import { readEndpoint } from '../endpoint'

export const accountSearch = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/search',
    summary: 'Accounts this server knows, by the beginnings of names',
    auth: user('read:accounts'),
    input: z.object({
      q: z.string(),
      limit: Limit(40, 80),
      offset: Int.default(0).transform((offset) => Math.max(0, offset)),
      following: Flag.default(false),
      // Taken and of no effect: there is no other server to ask yet.
      resolve: Flag,
    }),
    output: z.array(Account),
    read: (ctx, { input, as }) => {
      const text = input.q.trim().replace(/^@/, '')
      const selection = selectMatching(as, {
        ...{ text, handle: parseHandle(text, ctx.config.ownDomains) },
        ...{ onlyFollowed: input.following, limit: input.limit, offset: input.offset },
      })
      return selection === null ? noAccounts : loadAccounts(ctx, selection)
    },
    show: ({ config }, { found }) => presentAccounts(config, found),
  }),
]
