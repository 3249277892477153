import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { requestersOf } from '../domain/relationships/account-lists'
import { acceptFollowRequest, rejectFollowRequest } from '../domain/relationships/requests'
import { loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { ById, relationshipChange } from './accounts/relationships'
import { readEndpoint, user } from './endpoint'
import { accountPage, pageOf, paging } from './paginate'
export const followRequests = [
  readEndpoint({
    path: '/api/v1/follow_requests',
    summary: 'Accounts that ask to follow the viewer',
    auth: user('read:follows'),
    input: z.object(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as }) => loadAccounts(ctx, requestersOf(as, pageOf(input))),
    show: ({ config }, call) => accountPage(presentAccounts(config, call.found), call, call.found),
  }),
  relationshipChange({
    path: '/api/v1/follow_requests/:id/authorize',
    summary: 'Let an account follow the viewer',
    scope: 'write:follows',
    input: ById,
    make: (ctx, viewer, { id }) => acceptFollowRequest(ctx, viewer, id),
  }),
  relationshipChange({
    path: '/api/v1/follow_requests/:id/reject',
    summary: 'Turn a request to follow down',
    scope: 'write:follows',
    input: ById,
    make: (ctx, viewer, { id }) => rejectFollowRequest(ctx, viewer, id),
  }),
]
