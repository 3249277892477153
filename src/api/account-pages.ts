import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { Id } from '../contract/scalars'
import { combineQueries, type Query, type Selection } from '../db/query'
import type { Page } from '../domain/core/page'
import type { ViewerRef } from '../domain/core/viewer'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { type AccountBundle, loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import type { ApiResponse } from './api-response'
import { type ApiRequest, anyone, type Endpoint, readEndpoint } from './endpoint'
import { page, pageOf, paging } from './paginate'

/** Account lists page by the id of the relation row and end at a page that is not full. */
export function accountPage<T>(
  body: readonly T[],
  call: { readonly request: ApiRequest; readonly input: { readonly limit: number } },
  { cursors, endsEarly }: Pick<AccountBundle, 'cursors' | 'endsEarly'>,
): ApiResponse<T[]> {
  return page(body, call.request, {
    cursors,
    limit: call.input.limit,
    endsEarly,
    prev: 'since_id',
  })
}

/** An account list hanging on the account or status in the path. */
export interface RelationList {
  readonly path: `/${string}/:id/${string}`
  readonly summary: string
  /** False: the path's account or status is not visible to this viewer. */
  exists(ctx: Ctx, as: ViewerRef, id: number): Query<boolean>
  select(of: { readonly viewer: ViewerRef; readonly id: number; readonly now: Date }, page: Page): Selection
}

/** Declares the endpoint of an account list: public, at most 40 accounts a page. */
export function relationList({ path, summary, exists, select }: RelationList): Endpoint {
  return readEndpoint({
    path,
    summary,
    auth: anyone('read:accounts'),
    input: z.object({ id: Id }).extend(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        exists: exists(ctx, as, input.id),
        accounts: loadAccounts(ctx, select({ viewer: as, id: input.id, now }, pageOf(input))),
      }),
    show: ({ config }, call) => {
      if (!call.found.exists) throw new NotFound()
      return accountPage(presentAccounts(config, call.found.accounts), call, call.found.accounts)
    },
  })
}
