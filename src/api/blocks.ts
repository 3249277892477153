import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { blockedAccounts } from '../domain/relationships/account-lists'
import { loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { readEndpoint, user } from './endpoint'
import { accountPage, pageOf, paging } from './paginate'
export const blocks = [
  readEndpoint({
    path: '/api/v1/blocks',
    summary: 'Accounts the viewer blocks',
    auth: user('read:blocks'),
    input: z.object(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as }) => loadAccounts(ctx, blockedAccounts(as, pageOf(input))),
    show: ({ config }, call) => accountPage(presentAccounts(config, call.found), call, call.found),
  }),
]
