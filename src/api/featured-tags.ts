import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { FeaturedTag, Tag } from '../contract/entities/tag'
import { Id } from '../contract/scalars'
import { combineQueries, execute } from '../db/query'
import { accountExists } from '../domain/accounts/find'
import { viewerById } from '../domain/core/viewer'
import { featureTag, unfeatureTag } from '../domain/featured-tags/feature'
import { suggestedTags } from '../domain/featured-tags/find'
import { NotFound } from '../errors'
import { featuredTagsOf, loadTags, usesPerWeek } from '../view/load/tags'
import { presentFeaturedTag, presentTag } from '../view/present/tag'
import { anyone, endpoint, readEndpoint, user } from './endpoint'

const suggestions = 10

export const featuredTags = [
  readEndpoint({
    path: '/api/v1/accounts/:id/featured_tags',
    summary: 'Hashtags an account puts on its profile',
    auth: anyone(null, true),
    input: z.object({ id: Id }),
    output: z.array(FeaturedTag),
    read: (ctx, { input }) =>
      combineQueries({ exists: accountExists(ctx, input.id), tags: featuredTagsOf(ctx, sql`${input.id}`) }),
    show: ({ config }, { found }) => {
      if (!found.exists) throw new NotFound()
      return found.tags.map((tag) => presentFeaturedTag(config, tag))
    },
  }),
  readEndpoint({
    path: '/api/v1/featured_tags',
    summary: "Hashtags on the viewer's profile",
    auth: user('read:accounts'),
    output: z.array(FeaturedTag),
    read: (ctx, { as }) => featuredTagsOf(ctx, as.id),
    show: ({ config }, { found }) => found.map((tag) => presentFeaturedTag(config, tag)),
  }),
  readEndpoint({
    path: '/api/v1/featured_tags/suggestions',
    summary: 'Hashtags the viewer used of late',
    auth: user('read:accounts'),
    output: z.array(Tag),
    read: (ctx, { as }) =>
      loadTags(ctx, as.id, suggestedTags(as.id, suggestions), usesPerWeek('alone', suggestions)),
    show: ({ config }, { found }) => found.map((tag) => presentTag(config, tag, true)),
  }),
  endpoint({
    path: '/api/v1/featured_tags',
    summary: 'Put a hashtag on the profile',
    auth: user('write:accounts'),
    input: z.object({ name: z.string() }),
    output: FeaturedTag,
    run: async (ctx, { input, viewer }) => {
      const name = await featureTag(ctx, viewer, input.name)
      const found = await execute(ctx.db, featuredTagsOf(ctx, viewerById(viewer.id).id))
      const added = found.find(({ tag }) => tag === name)
      if (added === undefined) throw new NotFound()
      return presentFeaturedTag(ctx.config, added)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/featured_tags/:id',
    summary: 'Take a hashtag off the profile',
    auth: user('write:accounts'),
    input: z.object({ id: Id }),
    run: (ctx, { input, viewer }) => unfeatureTag(ctx, viewer, input.id),
  }),
]
