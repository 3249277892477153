import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { together } from '../../db/query'
import { accountExists } from '../../domain/accounts/find'
import { endorsedByOther, followedBy, followersOf } from '../../domain/relationships/lists'
import type { Page } from '../../domain/timelines/page'
import type { ViewerRef } from '../../domain/viewer'
import { NotFound } from '../../errors'
import { loadAccounts } from '../../view/load/accounts'
import { presentAccounts } from '../../view/present/account'
import { accountPage } from '../account-pages'
import { anyone } from '../caller'
import { readEndpoint } from '../endpoint'
import { pageOf, paging } from '../paginate'
import { ById } from './relationship-change'

interface List {
  readonly path: `/${string}`
  readonly summary: string
  select(of: { readonly viewer: ViewerRef; readonly owner: number; readonly now: Date }, page: Page): SQL
}

const lists: readonly List[] = [
  { path: '/api/v1/accounts/:id/followers', summary: 'Who follows an account', select: followersOf },
  { path: '/api/v1/accounts/:id/following', summary: 'Whom an account follows', select: followedBy },
  { path: '/api/v1/accounts/:id/endorsements', summary: 'Whom an account features', select: endorsedByOther },
]

export const accountLists = lists.map(({ path, summary, select }) =>
  readEndpoint({
    method: 'GET',
    ...{ path, summary },
    auth: anyone('read:accounts'),
    input: ById.extend(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as, now }) =>
      together({
        exists: accountExists(ctx, input.id),
        accounts: loadAccounts(ctx, select({ viewer: as, owner: input.id, now }, pageOf(input))),
      }),
    show: ({ config }, call) => {
      if (!call.found.exists) throw new NotFound()
      return accountPage(presentAccounts(config, call.found.accounts), call, call.found.accounts)
    },
  }),
)
