import * as z from 'zod'
import { MutedAccount } from '../contract/entities/account'
import { mutedAccounts } from '../domain/relationships/account-lists'
import { loadMutes } from '../view/load/relationships'
import { presentMutedAccounts } from '../view/present/account'
import { readEndpoint, user } from './endpoint'
import { accountPage, pageOf, paging } from './paginate'
export const mutes = [
  readEndpoint({
    path: '/api/v1/mutes',
    summary: 'Accounts the viewer mutes, and until when',
    auth: user('read:mutes'),
    input: z.object(paging(40, 80)),
    output: z.array(MutedAccount),
    read: (ctx, { input, as, now }) => loadMutes(ctx, mutedAccounts(as, pageOf(input), now)),
    show: ({ config }, call) =>
      accountPage(presentMutedAccounts(config, call.found), call, call.found.accounts),
  }),
]
