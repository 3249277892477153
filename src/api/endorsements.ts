import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { endorsedAccounts } from '../domain/relationships/account-lists'
import { loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { readEndpoint, user } from './endpoint'
import { accountPage, pageOf, paging } from './paginate'
export const endorsements = [
  readEndpoint({
    path: '/api/v1/endorsements',
    summary: 'Accounts the viewer features on their profile',
    auth: user('read:accounts'),
    input: z.object(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as }) => loadAccounts(ctx, endorsedAccounts(as, pageOf(input))),
    show: ({ config }, call) => accountPage(presentAccounts(config, call.found), call, call.found),
  }),
]
