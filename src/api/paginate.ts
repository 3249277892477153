import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { Id, Limit } from '../contract/scalars'
import { combineQueries, type Query, type Selection } from '../db/query'
import type { Page } from '../domain/core/page'
import type { ViewerRef } from '../domain/core/viewer'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { type AccountBundle, loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { ApiResponse } from './api-response'
import { type ApiRequest, anyone, type Endpoint, readEndpoint } from './endpoint'

/** Ids beyond the largest local id mean the end of time: clients of other servers send 64-bit numbers. */
const Cursor = z
  .union([z.string().regex(/^\d+$/), z.int().nonnegative()])
  .transform((sent) => Math.min(Number(sent), Number.MAX_SAFE_INTEGER))
  .optional()
  .catch(undefined)

/** Paging parameters of a list, to be spread into an endpoint's input. Bad cursors count as absent. */
export function paging(defaultLimit: number, maxLimit: number) {
  return {
    max_id: Cursor,
    since_id: Cursor,
    min_id: Cursor,
    limit: Limit(defaultLimit, maxLimit),
  }
}

export function pageOf(input: {
  readonly limit: number
  readonly max_id?: number | undefined
  readonly since_id?: number | undefined
  readonly min_id?: number | undefined
}): Page {
  return { limit: input.limit, maxId: input.max_id, sinceId: input.since_id, minId: input.min_id }
}

/** Link relations of a list's neighbouring pages; see page_sizes in the reference. */
interface PageForm {
  /** `min_id`, the default, reads the page right after; account lists know `since_id` only. */
  readonly prev?: 'min_id' | 'since_id'
  /**
   * Timelines and notifications offer a next page as long as a page has entries; other lists only when it is full,
   * which is the default.
   */
  readonly nextWhen?: 'full' | 'any'
}

/**
 * A page with its Link header. `cursors` are the ids paged by, newest first, as selected: entries hidden after
 * selection still count, so that paging continues behind them.
 */
export function page<T>(body: readonly T[], request: ApiRequest, at: PageEnds): ApiResponse<T[]> {
  return new ApiResponse([...body], { headers: links(request, at) })
}

/** Shows the rows of a page, which are paged by their ids. */
export function showPage<Row extends { readonly id: number }, T>(
  present: (row: Row, ctx: Ctx) => T | Promise<T>,
) {
  return async (
    ctx: Ctx,
    call: {
      readonly found: readonly Row[]
      readonly request: ApiRequest
      readonly input: { readonly limit: number }
    },
  ) => {
    const { found, request, input } = call
    const body = await Promise.all(found.map((row) => present(row, ctx)))
    return page(body, request, { cursors: found.map(({ id }) => id), limit: input.limit })
  }
}

/** Position of a page within its list. */
type PageEnds = {
  readonly cursors: readonly number[]
  readonly limit: number
  /** The selection ended before the page was full, so a next page is offered however short this one is. */
  readonly endsEarly?: boolean
} & PageForm

/** The Link header of a page; empty if no rows were selected. */
export function links(request: ApiRequest, at: PageEnds): Readonly<Record<string, string>> {
  const newest = at.cursors[0]
  const oldest = at.cursors.at(-1)
  if (newest === undefined || oldest === undefined) return {}
  const more = at.nextWhen === 'any' || at.endsEarly === true || at.cursors.length >= at.limit
  const neighbours = [
    ...(more ? [`<${linkTo(request, 'max_id', oldest)}>; rel="next"`] : []),
    `<${linkTo(request, at.prev ?? 'min_id', newest)}>; rel="prev"`,
  ]
  return { Link: neighbours.join(', ') }
}

/** Position of a page in a list paged by offset, and the number of rows selected for it. */
type OffsetResult = { readonly offset: number; readonly limit: number; readonly found: number }

interface TrendResult extends OffsetResult {
  /** Rows that the page covers, where it ends before all that were found. */
  readonly size?: number
}

/**
 * A page of a list paged by offset, with its Link header. `found` is the row count when one more than the page was
 * selected.
 */
export function offsetPage<T>(
  body: T,
  request: ApiRequest,
  { offset, limit, found }: OffsetResult,
): ApiResponse<T> {
  return countedPage(body, request, {
    next: limit > 0 && found > limit ? offset + limit : null,
    prev: offset > 0 ? Math.max(0, offset - limit) : null,
  })
}

/**
 * A page of trends by offset: a next page if this one is full or ends early, a previous page from the second page on.
 */
export function trendPage<T>(
  body: readonly T[],
  request: ApiRequest,
  { offset, limit, found, size = found }: TrendResult,
): ApiResponse<T[]> {
  const whole = limit > 0 && found >= limit ? offset + limit : null
  return countedPage([...body], request, {
    next: size < found ? offset + size : whole,
    prev: offset > limit ? offset - limit : null,
  })
}

/** A page of a list paged by offset, with the offsets of its neighbours. */
function countedPage<T>(
  body: T,
  request: ApiRequest,
  { next, prev }: { readonly next: number | null; readonly prev: number | null },
): ApiResponse<T> {
  const neighbours = [
    ...(next === null ? [] : [`<${linkTo(request, 'offset', next)}>; rel="next"`]),
    ...(prev === null ? [] : [`<${linkTo(request, 'offset', prev)}>; rel="prev"`]),
  ]
  return new ApiResponse(body, neighbours.length === 0 ? {} : { headers: { Link: neighbours.join(', ') } })
}

/** The request URL on the configured origin, with one cursor in place of any it had. */
function linkTo(request: ApiRequest, cursor: string, id: number): string {
  const url = new URL(request.url)
  for (const name of ['max_id', 'since_id', 'min_id', 'access_token']) url.searchParams.delete(name)
  url.searchParams.set(cursor, String(id))
  return url.href
}

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
