import { sql } from 'drizzle-orm'
import * as z from 'zod'
import {
  AdminPreviewCardProvider,
  AdminTag,
  AdminTrendsLink,
  AdminTrendsStatus,
} from '../../contract/entities/admin/trends'
import { Id } from '../../contract/scalars'
import { combineQueries, execute, orNotFound } from '../../db/query'
import { anonymousViewer, type Moderator, viewerOfModerator } from '../../domain/core/viewer'
import { pickSettings } from '../../domain/instance/settings'
import { selectEveryTrendingLink } from '../../domain/trends/find-links'
import { findPublisher, findPublishers, type Reviewable, reviewTarget } from '../../domain/trends/find-review'
import { selectEveryTrendingStatus } from '../../domain/trends/find-statuses'
import { selectTrendingTags } from '../../domain/trends/find-tags'
import { reviewTrend } from '../../domain/trends/review'
import type { Ctx } from '../../ports/ctx'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { loadTags } from '../../view/load/tags'
import { findTrendingStatuses, loadTrendingLinks, pageWithinRows } from '../../view/load/trending'
import {
  presentAdminTag,
  presentAdminTrendsLink,
  presentAdminTrendsStatuses,
  presentOnlyAdminTag,
  presentOnlyAdminTrendsLink,
  presentOnlyPublisher,
  presentPublisher,
  presentReviewedStatus,
} from '../../view/present/admin-trends'
import { type Endpoint, endpoint, readEndpoint, staff } from '../endpoint'
import { pageOf, paging, showPage, trendPage } from '../paginate'
import { trendPaging } from '../trends'
import { loadAdminTag } from './tags'

const reading = staff('admin:read', 'manageTaxonomies')
const ById = z.object({ id: Id })

const decisions = [
  { verb: 'approve', trendable: true, summary: 'Let it trend' },
  { verb: 'reject', trendable: false, summary: 'Keep it from trending' },
] as const

interface Decided<O extends z.ZodType> {
  readonly what: Reviewable
  readonly path: `/${string}/:id`
  readonly output: O
  /** The entity after the decision. */
  present(ctx: Ctx, moderator: Moderator, id: number): Promise<z.input<O>>
}

/** The two endpoints that decide about an item. */
function deciding<O extends z.ZodType>({ what, path, output, present }: Decided<O>): Endpoint[] {
  return decisions.map(({ verb, trendable, summary }) =>
    endpoint({
      path: `${path}/${verb}`,
      summary,
      auth: staff('admin:write', 'manageTaxonomies'),
      input: ById,
      output,
      run: async (ctx, { input, viewer }) => {
        const target = await execute(ctx.db, orNotFound(reviewTarget(ctx, what, input.id)))
        await reviewTrend(ctx, viewer, { target, trendable })
        return present(ctx, viewer, input.id)
      },
    }),
  )
}

const trendingTags = [
  readEndpoint({
    path: '/api/v1/admin/trends/tags',
    summary: 'Trending hashtags, also those that no moderator decided about',
    auth: reading,
    input: trendPaging(10, 20),
    output: z.array(AdminTag),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        settings: pickSettings(ctx, ['trendableByDefault']),
        tags: loadTags(ctx, as.id, selectTrendingTags(input, now, 'all'), 'kept'),
      }),
    show: ({ config }, { input, request, found: { settings, tags } }) => {
      const shown = tags.map((tag) => presentAdminTag(config, tag, settings.trendableByDefault))
      return trendPage(shown, request, { ...input, found: tags.length })
    },
  }),
  ...deciding({
    what: 'tag',
    path: '/api/v1/admin/trends/tags/:id',
    output: AdminTag,
    async present(ctx, { accountId }, id) {
      const { tags, settings } = await execute(ctx.db, loadAdminTag(ctx, sql`${accountId}`, id))
      return presentOnlyAdminTag(ctx.config, tags, settings.trendableByDefault)
    },
  }),
]

const trendingStatuses = [
  readEndpoint({
    path: '/api/v1/admin/trends/statuses',
    summary: 'Trending statuses, also those that no moderator decided about',
    auth: reading,
    input: trendPaging(20, 40),
    output: z.array(AdminTrendsStatus),
    read: (ctx, { input, as, now }) =>
      findTrendingStatuses(ctx, as, selectEveryTrendingStatus(input, now), input.offset),
    show: async (ctx, { input, viewer, request, found }) => {
      const { selection, size } = pageWithinRows(found, input.offset)
      const bundle = await execute(ctx.db, loadStatuses(ctx, viewerOfModerator(viewer), selection))
      const unreviewed = new Set(
        found.listed.filter(({ requiresReview }) => requiresReview).map(({ id }) => id),
      )
      const showing = { config: ctx.config, now: ctx.clock.now() }
      const shown = presentAdminTrendsStatuses(showing, bundle, unreviewed)
      return trendPage(shown, request, { ...input, found: found.found, size })
    },
  }),
  ...deciding({
    what: 'status',
    path: '/api/v1/admin/trends/statuses/:id',
    output: AdminTrendsStatus,
    // As visitors see it: a block between author and moderator does not matter here.
    async present(ctx, _moderator, id) {
      const bundle = await execute(ctx.db, loadStatuses(ctx, anonymousViewer, statusesById([id])))
      return presentReviewedStatus({ config: ctx.config, now: ctx.clock.now() }, bundle)
    },
  }),
]

const trendingLinks = [
  readEndpoint({
    path: '/api/v1/admin/trends/links',
    summary: 'Trending pages, also those that no moderator decided about',
    auth: reading,
    input: trendPaging(10, 20),
    output: z.array(AdminTrendsLink),
    read: (ctx, { input, now }) => loadTrendingLinks(ctx, selectEveryTrendingLink(input, now)),
    show: ({ config }, { input, viewer, request, found }) =>
      trendPage(
        found.map((link) => presentAdminTrendsLink(config, link, viewer.accountId)),
        request,
        { ...input, found: found.length },
      ),
  }),
  ...deciding({
    what: 'link',
    path: '/api/v1/admin/trends/links/:id',
    output: AdminTrendsLink,
    async present(ctx, { accountId }, id) {
      const found = await execute(ctx.db, loadTrendingLinks(ctx, sql`select ${id} as id, 0 as cursor`))
      return presentOnlyAdminTrendsLink(ctx.config, found, accountId)
    },
  }),
]

const publishers = [
  readEndpoint({
    path: '/api/v1/admin/trends/links/publishers',
    summary: 'Hosts of linked pages that moderators decided about or are asked to, newest first',
    auth: reading,
    input: z.object(paging(100, 200)),
    output: z.array(AdminPreviewCardProvider),
    read: (ctx, { input }) => findPublishers(ctx, pageOf(input)),
    show: showPage(presentPublisher),
  }),
  ...deciding({
    what: 'publisher',
    path: '/api/v1/admin/trends/links/publishers/:id',
    output: AdminPreviewCardProvider,
    async present(ctx, _moderator, id) {
      return presentOnlyPublisher(await execute(ctx.db, findPublisher(ctx, id)))
    },
  }),
]

export const adminTrends = [...trendingTags, ...trendingStatuses, ...publishers, ...trendingLinks]
