import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { AdminTag } from '../../contract/entities/admin/trends'
import { Flag, Id, OptionalText } from '../../contract/scalars'
import { combineQueries, execute, type Query } from '../../db/query'
import { idPage } from '../../domain/core/page'
import { pickSettings } from '../../domain/instance/settings'
import { updateTag } from '../../domain/trends/review'
import type { Ctx } from '../../ports/ctx'
import { loadTagPage, loadTags, type TagFacts } from '../../view/load/tags'
import { presentAdminTag, presentOnlyAdminTag } from '../../view/present/admin-trends'
import { readEndpoint, staff, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const ById = z.object({ id: Id })

/** A hashtag with everything its presentation to moderators needs. */
export function loadAdminTag(
  ctx: Ctx,
  viewerId: Parameters<typeof loadTags>[1],
  id: number,
): Query<{ readonly tags: TagFacts[]; readonly settings: { readonly trendableByDefault: boolean } }> {
  return combineQueries({
    tags: loadTags(ctx, viewerId, sql`select ${id} as id, 0 as cursor`),
    settings: pickSettings(ctx, ['trendableByDefault']),
  })
}

const updates = updateEndpoints({
  path: '/api/v1/admin/tags/:id',
  summary: 'Change how a hashtag is spelled, and whether it is listed, trends and leads to statuses',
  auth: staff('admin:write', 'manageTaxonomies'),
  input: ById.extend({ display_name: OptionalText, listable: Flag, trendable: Flag, usable: Flag }),
  output: AdminTag,
  run: async (ctx, { input, viewer }) => {
    const { id, display_name: displayName, listable, trendable, usable } = input
    await updateTag(ctx, viewer, { id, patch: { displayName, listable, trendable, usable } })
    const { tags, settings } = await execute(ctx.db, loadAdminTag(ctx, sql`${viewer.accountId}`, id))
    return presentOnlyAdminTag(ctx.config, tags, settings.trendableByDefault)
  },
})

export const adminTags = [
  readEndpoint({
    path: '/api/v1/admin/tags',
    summary: 'Hashtags, newest first',
    auth: staff('admin:read', 'manageTaxonomies'),
    input: z.object(paging(100, 100)),
    output: z.array(AdminTag),
    read: (ctx, { input, as }) =>
      combineQueries({
        // Uses are those counted for trends: counting them again would read thousands of rows a page.
        tags: loadTagPage(ctx, as.id, idPage(pageOf(input), sql`tags.id`)),
        settings: pickSettings(ctx, ['trendableByDefault']),
      }),
    show: ({ config }, { input, request, found: { tags, settings } }) =>
      page(
        tags.map((tag) => presentAdminTag(config, tag, settings.trendableByDefault)),
        request,
        { cursors: tags.map(({ cursor }) => cursor), limit: input.limit },
      ),
  }),
  readEndpoint({
    path: '/api/v1/admin/tags/:id',
    summary: 'One hashtag with its state',
    auth: staff('admin:read', 'manageTaxonomies'),
    input: ById,
    output: AdminTag,
    read: (ctx, { input, as }) => loadAdminTag(ctx, as.id, input.id),
    show: ({ config }, { found: { tags, settings } }) =>
      presentOnlyAdminTag(config, tags, settings.trendableByDefault),
  }),
  ...updates,
]
