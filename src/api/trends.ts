import * as z from 'zod'
import { Status, TrendsLink } from '../contract/entities/status'
import { Tag } from '../contract/entities/tag'
import { Limit, Offset } from '../contract/scalars'
import { combineQueries } from '../db/query'
import type { ViewerRef } from '../domain/core/viewer'
import { pickSettings } from '../domain/instance/settings'
import { selectTrendingLinks } from '../domain/trends/find-links'
import { selectTrendingStatuses, type TrendReader } from '../domain/trends/find-statuses'
import { selectTrendingTags } from '../domain/trends/find-tags'
import { preferredLanguages } from '../lib/request-headers'
import { cachedSeconds } from '../ports/app-env'
import { loadStatuses } from '../view/load/statuses'
import { loadTags } from '../view/load/tags'
import { loadTrendingLinks } from '../view/load/trending'
import { presentCard } from '../view/present/media'
import { presentStatuses } from '../view/present/status'
import { presentTag, presentUsage } from '../view/present/tag'
import { ApiResponse } from './api-response'
import { type ApiRequest, anyone, readEndpoint } from './endpoint'
import { trendPage } from './paginate'

/** More than can trend at once. */
const furthestOffset = 1_000

/** Paging parameters of trends. */
export function trendPaging(standard: number, most: number) {
  return z.object({
    limit: Limit(standard, most),
    offset: Offset(furthestOffset),
  })
}

const auth = anyone(null, true)

/** The first path is the one from before statuses and links could trend. */
const tagPaths = [
  { path: '/api/v1/trends', deprecatedSince: new Date('2022-03-30T00:00:00Z') },
  { path: '/api/v1/trends/tags' },
] as const

const trendingTags = tagPaths.map((declared) =>
  readEndpoint({
    ...declared,
    summary: 'Hashtags that more people use than is usual',
    auth,
    input: trendPaging(10, 20),
    output: z.array(Tag),
    caching: { seconds: cachedSeconds.people, parameters: { limit: /^[1-9]\d?$/ } },
    read: (ctx, { input, as, now }) =>
      combineQueries({
        settings: pickSettings(ctx, ['trends']),
        tags: loadTags(ctx, as.id, selectTrendingTags(input, now), 'kept'),
      }),
    show: ({ config }, { input, viewer, request, found: { settings, tags } }) => {
      if (!settings.trends) return []
      const shown = tags.map((tag) => presentTag(config, tag, viewer !== null))
      return trendPage(shown, request, { ...input, found: tags.length })
    },
  }),
)

export const trends = [
  ...trendingTags,
  readEndpoint({
    path: '/api/v1/trends/statuses',
    summary: 'Posts that are much favourited and reblogged',
    auth,
    input: trendPaging(20, 40),
    output: z.array(Status),
    read: (ctx, { input, as, now, request }) =>
      combineQueries({
        settings: pickSettings(ctx, ['trends']),
        bundle: loadStatuses(ctx, as, selectTrendingStatuses(readerOf(as, request), input, now)),
      }),
    show: ({ config, clock }, { input, request, found: { settings, bundle } }) => {
      if (!settings.trends) return []
      const shown = presentStatuses({ config, now: clock.now() }, bundle)
      return byLanguage(trendPage(shown, request, { ...input, found: bundle.cursors.length }))
    },
  }),
  readEndpoint({
    path: '/api/v1/trends/links',
    summary: 'Pages that more people link to than is usual',
    auth,
    input: trendPaging(10, 20),
    output: z.array(TrendsLink),
    read: (ctx, { input, as, now, request }) =>
      combineQueries({
        settings: pickSettings(ctx, ['trends']),
        links: loadTrendingLinks(ctx, selectTrendingLinks(readerOf(as, request), input, now)),
      }),
    show: ({ config }, { input, viewer, request, found: { settings, links } }) => {
      if (!settings.trends) return []
      const shown = links.map(({ card, creator, history }) => ({
        ...presentCard(config, { card, creator, viewerId: viewer?.id ?? null }),
        history: presentUsage(history),
      }))
      return byLanguage(trendPage(shown, request, { ...input, found: links.length }))
    },
  }),
]

function readerOf(viewer: ViewerRef, { headers }: ApiRequest): TrendReader {
  return { viewer, language: preferredLanguages(headers.get('accept-language'))[0] ?? null }
}

/** The order depends on the reader's language, so caches must not share the response between languages. */
function byLanguage<T>({ body, headers }: ApiResponse<T>): ApiResponse<T> {
  return new ApiResponse(body, { headers: { ...headers, Vary: 'Authorization, Origin, Accept-Language' } })
}
