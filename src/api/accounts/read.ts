import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { Id, IdList } from '../../contract/scalars'
import { selectByHandle, selectById, selectKnown } from '../../domain/accounts/find'
import { parseHandle } from '../../lib/handle'
import { loadAccount, loadAccounts, noAccounts } from '../../view/load/accounts'
import { presentAccounts, presentOnlyAccount } from '../../view/present/account'
import { anyone, mayTriggerFetches } from '../caller'
import { readEndpoint } from '../endpoint'
import { resolveHandle } from './resolve-handle'

const maxIds = 40

export const accountReads = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts',
    summary: 'Several accounts by id; unknown ids are left out',
    auth: anyone('read:accounts'),
    input: z.object({
      id: IdList.refine((ids) => ids.length <= maxIds, `names more than ${maxIds} accounts`),
    }),
    output: z.array(Account),
    read: (ctx, { input }) => loadAccounts(ctx, selectKnown(input.id)),
    show: ({ config }, { found }) => presentAccounts(config, found),
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/lookup',
    summary: 'The account with a handle; asked for at its own server for people who signed in',
    auth: anyone('read:accounts'),
    input: z.object({ acct: z.string() }),
    output: Account,
    read: (ctx, { input }) => {
      const handle = parseHandle(input.acct, ctx.config.ownDomains)
      return handle === null ? noAccounts : loadAccount(ctx, selectByHandle(handle))
    },
    show: async (ctx, { input, caller, found }) => {
      const handle = parseHandle(input.acct, ctx.config.ownDomains)
      if (!mayTriggerFetches(caller) || handle?.domain == null) return presentOnlyAccount(ctx.config, found)
      const { username, domain } = handle
      if (found.ids.length > 0) ctx.waitUntil(ctx.resolver.accountByHandle({ username, domain }))
      const [resolved] = found.ids.length > 0 ? [] : await resolveHandle(ctx, handle)
      return resolved ?? presentOnlyAccount(ctx.config, found)
    },
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/:id',
    summary: 'An account',
    auth: anyone('read:accounts'),
    input: z.object({ id: Id }),
    output: Account,
    read: (ctx, { input }) => loadAccount(ctx, selectById(input.id)),
    show: ({ config }, { found }) => presentOnlyAccount(config, found),
  }),
]
