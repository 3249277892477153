import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { Flag, Limit, Offset } from '../../contract/scalars'
import { selectMatching } from '../../domain/accounts/find-directory'
import { acctOf } from '../../lib/addresses'
import { parseHandle } from '../../lib/handle'
import { loadAccounts, noAccounts } from '../../view/load/accounts'
import { presentAccounts } from '../../view/present/account'
import { user } from '../caller'
import { readEndpoint } from '../endpoint'
import { resolveHandle } from './resolve-handle'

export const accountSearch = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/search',
    summary: 'Accounts by the beginnings of names, or by handle from anywhere',
    auth: user('read:accounts'),
    input: z.object({
      q: z.string(),
      limit: Limit(40, 80),
      offset: Offset(),
      following: Flag.default(false),
      /** Resolves the handle on its own server if it is unknown here. */
      resolve: Flag.default(false),
    }),
    output: z.array(Account),
    read: (ctx, { input, as }) => {
      const text = input.q.trim().replace(/^@/, '')
      const selection = selectMatching(as, {
        text,
        handle: parseHandle(text, ctx.config.ownDomains),
        onlyFollowed: input.following,
        limit: input.limit,
        offset: input.offset,
      })
      return selection === null ? noAccounts : loadAccounts(ctx, selection)
    },
    show: async (ctx, { input, found }) => {
      const known = presentAccounts(ctx.config, found)
      const handle = parseHandle(input.q, ctx.config.ownDomains)
      if (!input.resolve || input.following || input.offset > 0 || handle === null) return known
      const isThere = known.some(({ acct }) => acct.toLowerCase() === acctOf(handle).toLowerCase())
      const resolved = isThere ? [] : await resolveHandle(ctx, handle)
      const others = known.filter(({ id }) => resolved.every((account) => account.id !== id))
      return [...resolved, ...others].slice(0, input.limit)
    },
  }),
]
