import * as z from 'zod'
import { Limit } from '../contract/scalars'
import type { Page } from '../domain/core/page'
import { ApiResponse } from './api-response'
import type { ApiRequest } from './endpoint'

/** Beyond any id of ours stands for the end of time: clients of other servers send 64-bit numbers. */
const Cursor = z
  .union([z.string().regex(/^\d+$/), z.int().nonnegative()])
  .transform((sent) => Math.min(Number(sent), Number.MAX_SAFE_INTEGER))
  .optional()
  .catch(undefined)

/** Paging parameters of a list, to be spread into an endpoint's input. Bad cursors count as none. */
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

/** How a list names its neighbours; see page_sizes in the reference. */
export interface PageForm {
  /** `min_id` reads the page right after; account lists know `since_id` only. */
  readonly prev: 'min_id' | 'since_id'
  /** Timelines and notifications offer a next page as long as there is anything; others only when full. */
  readonly nextWhen: 'full' | 'any'
}

/**
 * A page with its Link header. `cursors` are the ids paged by, newest first, as selected: entries that were
 * hidden after selection still count, so that paging goes on behind them.
 */
export function page<T>(body: readonly T[], request: ApiRequest, at: PageEnds): ApiResponse<T[]> {
  return new ApiResponse([...body], { headers: links(request, at) })
}

/** Where a page lies among all that could be paged through. */
type PageEnds = {
  readonly cursors: readonly number[]
  readonly limit: number
  /** The selection ended before the page was full, so that it goes on however short it is. */
  readonly endsEarly?: boolean
} & PageForm

/** The Link header of a page; none where nothing was selected. */
export function links(request: ApiRequest, at: PageEnds): Readonly<Record<string, string>> {
  const newest = at.cursors[0]
  const oldest = at.cursors.at(-1)
  if (newest === undefined || oldest === undefined) return {}
  const more = at.nextWhen === 'any' || at.endsEarly === true || at.cursors.length >= at.limit
  const neighbours = [
    ...(more ? [`<${linkTo(request, 'max_id', oldest)}>; rel="next"`] : []),
    `<${linkTo(request, at.prev, newest)}>; rel="prev"`,
  ]
  return { Link: neighbours.join(', ') }
}

/** Where a page lies in a list that is counted through, and how many entries were found for it. */
type OffsetResult = { readonly offset: number; readonly limit: number; readonly found: number }

/**
 * A page of a list that is counted through, with its Link header. `found` is how many there were when one more than the
 * page was asked for.
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

/** The same for what trends: a next page where this one is full, and none before the second is left behind. */
export function trendPage<T>(
  body: readonly T[],
  request: ApiRequest,
  { offset, limit, found }: OffsetResult,
): ApiResponse<T[]> {
  return countedPage([...body], request, {
    next: limit > 0 && found >= limit ? offset + limit : null,
    prev: offset > limit ? offset - limit : null,
  })
}

/** A list that is counted through, with the offsets of its neighbours. */
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

/** The request's own address on our configured origin, with one cursor in place of any it had. */
function linkTo(request: ApiRequest, cursor: string, id: number): string {
  const url = new URL(request.url)
  for (const name of ['max_id', 'since_id', 'min_id', 'access_token']) url.searchParams.delete(name)
  url.searchParams.set(cursor, String(id))
  return url.href
}
