import * as z from 'zod'
import { Status } from '../contract/entities/status'
import { Flag, Id, TextList } from '../contract/scalars'
import { normaliseHashtag } from '../contract/text/hashtag'
import { combineQueries } from '../db/query'
import type { Viewer } from '../domain/core/viewer'
import { isOwnList } from '../domain/lists/edit'
import { directSelection, homeSelection, listSelection } from '../domain/timelines/home'
import {
  type FeedAccess,
  hasLinkTimeline,
  linkSelection,
  liveFeedAccess,
  publicSelection,
  resolveScopes,
  tagFeedAccess,
} from '../domain/timelines/public'
import { tagSelection } from '../domain/timelines/tag'
import { NotFound } from '../errors'
import { cachedSeconds } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { loadStatuses, type StatusBundle, withoutHidden } from '../view/load/statuses'
import { presentStatuses } from '../view/present/status'
import { ApiResponse } from './api-response'
import { type ApiRequest, anyone, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

/** Timelines offer a next page as long as a page has entries, and read upwards with `min_id`. */
const form = { prev: 'min_id', nextWhen: 'any' } as const

const scopeOfPublic = {
  local: Flag,
  remote: Flag,
  only_media: Flag,
}

const flag = /^(true|false|1|0)$/

/** Caching of first pages; later ones are of as many forms as there are statuses. */
const firstPage = {
  seconds: cachedSeconds.people,
  parameters: { local: flag, remote: flag, only_media: flag, limit: /^[1-9]\d?$/ },
}

interface Found {
  readonly input: { readonly limit: number }
  readonly request: ApiRequest
  readonly found: StatusBundle
}

export const timelines = [
  readEndpoint({
    path: '/api/v1/timelines/home',
    summary: 'Statuses of the viewer and of followed accounts',
    auth: user('read:statuses'),
    input: z.object(paging(20, 40)),
    output: z.array(Status),
    read: (ctx, { input, as, now }) => loadStatuses(ctx, as, homeSelection(as, pageOf(input), now)),
    show: (ctx, { found, ...call }) => showPage(ctx, { ...call, found: withoutHidden(found, 'home') }),
  }),
  readEndpoint({
    path: '/api/v1/timelines/direct',
    summary: 'Direct statuses sent and received one by one, as apps before conversations read them',
    auth: user('read:statuses'),
    deprecatedSince: new Date('2018-10-30T00:00:00Z'),
    input: z.object(paging(20, 40)),
    output: z.array(Status),
    read: (ctx, { input, as, now }) => loadStatuses(ctx, as, directSelection(as, pageOf(input), now)),
    show: showPage,
  }),
  readEndpoint({
    path: '/api/v1/timelines/list/:list_id',
    summary: 'Statuses of the members of a list',
    auth: user('read:lists'),
    input: z.object({ list_id: Id, ...paging(20, 40) }),
    output: z.array(Status),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        exists: isOwnList(ctx, as, input.list_id),
        bundle: loadStatuses(ctx, as, listSelection(as, { id: input.list_id, now }, pageOf(input))),
      }),
    show: (ctx, { input, request, found }) => {
      if (!found.exists) throw new NotFound()
      return showPage(ctx, { input, request, found: withoutHidden(found.bundle, 'home') })
    },
  }),
  readEndpoint({
    path: '/api/v1/timelines/public',
    summary: 'Public statuses of this server and of those it knows',
    auth: anyone('read:statuses'),
    isForMembersFirst: true,
    input: z.object({ ...scopeOfPublic, ...paging(20, 40) }),
    output: z.array(Status),
    caching: firstPage,
    read: (ctx, { input, as, now }) =>
      combineQueries({
        bundle: loadStatuses(ctx, as, publicSelection(as, filterOf(input), pageOf(input), now)),
        access: liveFeedAccess(ctx),
      }),
    show: showFeed,
  }),
  readEndpoint({
    path: '/api/v1/timelines/link',
    summary: 'Public statuses that link to a page that trends, by authors who want to be found',
    auth: anyone('read:statuses'),
    isForMembersFirst: true,
    input: z.object({ url: z.string().catch(''), ...paging(20, 40) }),
    output: z.array(Status),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        bundle: loadStatuses(ctx, as, linkSelection(as, input.url, pageOf(input), now)),
        access: tagFeedAccess(ctx),
        isThere: hasLinkTimeline(ctx, input.url, now),
      }),
    show: (ctx, asked) => {
      const feed = showFeed(ctx, asked)
      if (!asked.found.isThere) throw new NotFound()
      return feed
    },
  }),
  readEndpoint({
    path: '/api/v1/timelines/tag/:hashtag',
    summary: 'Public statuses with a hashtag',
    auth: anyone('read:statuses'),
    isForMembersFirst: true,
    input: z.object({
      hashtag: z.string(),
      any: TextList,
      all: TextList,
      none: TextList,
      ...scopeOfPublic,
      ...paging(20, 40),
    }),
    output: z.array(Status),
    caching: firstPage,
    read: (ctx, { input, as, now }) => {
      const filter = {
        ...filterOf(input),
        tag: normaliseHashtag(input.hashtag),
        anyOf: input.any.map(normaliseHashtag),
        allOf: input.all.map(normaliseHashtag),
        noneOf: input.none.map(normaliseHashtag),
      }
      return combineQueries({
        bundle: loadStatuses(ctx, as, tagSelection(as, filter, pageOf(input), now)),
        access: tagFeedAccess(ctx),
      })
    },
    show: showFeed,
  }),
]

function showPage({ config, clock }: Ctx, { input, request, found }: Found) {
  const statuses = presentStatuses({ config, now: clock.now() }, found)
  return page(statuses, request, { ...form, cursors: found.cursors, limit: input.limit })
}

interface FoundFeed {
  readonly input: Found['input'] & Parameters<typeof filterOf>[0]
  readonly viewer: Viewer | null
  readonly request: ApiRequest
  readonly found: { readonly bundle: StatusBundle; readonly access: FeedAccess }
}

/** A page of the feeds the operator opens to the viewer: statuses left out still count for paging. */
function showFeed(ctx: Ctx, { input, viewer, request, found: { bundle, access } }: FoundFeed) {
  const open = resolveScopes(access, viewer, filterOf(input))
  if (!open.local && !open.remote) return new ApiResponse<Status[]>([])
  const ids = bundle.ids.filter((id) => (bundle.statuses.get(id)?.status.local ? open.local : open.remote))
  return showPage(ctx, { input, request, found: { ...bundle, ids } })
}

function filterOf(input: {
  readonly local?: boolean | undefined
  readonly remote?: boolean | undefined
  readonly only_media?: boolean | undefined
}) {
  return { local: input.local === true, remote: input.remote === true, onlyMedia: input.only_media === true }
}
