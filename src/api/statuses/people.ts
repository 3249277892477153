import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { together } from '../../db/query'
import { visibleStatus } from '../../domain/statuses/find'
import { favouritersOf, shownRebloggersOf } from '../../domain/statuses/find-people'
import type { Page } from '../../domain/timelines/page'
import type { ViewerRef } from '../../domain/viewer'
import { NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import { loadAccounts } from '../../view/load/accounts'
import { presentAccounts } from '../../view/present/account'
import { accountPage } from '../account-pages'
import { anyone } from '../caller'
import { readEndpoint } from '../endpoint'
import { pageOf, paging } from '../paginate'
import { ById } from './one'

interface List {
  readonly path: `/${string}`
  readonly summary: string
  select(of: { readonly viewer: ViewerRef; readonly id: StatusId; readonly now: Date }, page: Page): SQL
}

const lists: readonly List[] = [
  { path: '/api/v1/statuses/:id/favourited_by', summary: 'Who favourites a status', select: favouritersOf },
  { path: '/api/v1/statuses/:id/reblogged_by', summary: 'Who reblogs a status', select: shownRebloggersOf },
]

export const statusPeople = lists.map(({ path, summary, select }) =>
  readEndpoint({
    method: 'GET',
    ...{ path, summary },
    auth: anyone('read:accounts'),
    input: ById.extend(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as, now }) =>
      together({
        status: visibleStatus(ctx, as, input.id),
        accounts: loadAccounts(ctx, select({ viewer: as, id: input.id, now }, pageOf(input))),
      }),
    show: ({ config }, call) => {
      if (call.found.status === null) throw new NotFound()
      return accountPage(presentAccounts(config, call.found.accounts), call, call.found.accounts)
    },
  }),
)
