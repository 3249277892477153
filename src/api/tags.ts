import * as z from 'zod'
import { Tag } from '../contract/entities/tag'
import { Id } from '../contract/scalars'
import { isValidHashtag, normaliseHashtag } from '../contract/text/hashtag'
import { execute, orNotFound } from '../db/query'
import { type Viewer, viewerById } from '../domain/core/viewer'
import { featureTag, unfeatureTagNamed } from '../domain/featured-tags/feature'
import { followedTags, followTag, selectTag, tagName, unfollowTag } from '../domain/tags/follow'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { loadTags, unusedTag, usesPerWeek } from '../view/load/tags'
import { presentTag } from '../view/present/tag'
import { anyone, endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

const ByName = z.object({ name: z.string() })

export const tags = [
  readEndpoint({
    path: '/api/v1/tags/:name',
    summary: 'One hashtag, used or not',
    auth: anyone(null, true),
    input: ByName,
    output: Tag,
    read: (ctx, { input, as }) => loadTags(ctx, as.id, selectTag(normaliseHashtag(input.name))),
    show: ({ config, clock }, { input, viewer, found }) => {
      if (!isValidHashtag(input.name)) throw new NotFound()
      return presentTag(config, found[0] ?? unusedTag(input.name, clock.now()), viewer !== null)
    },
  }),
  endpoint({
    path: '/api/v1/tags/:name/follow',
    summary: 'Let public posts with a hashtag arrive at home',
    auth: user('write:follows'),
    limit: 'follows',
    input: ByName,
    output: Tag,
    run: async (ctx, { input, viewer }) => {
      if (!isValidHashtag(input.name)) throw new NotFound()
      await followTag(ctx, viewer, input.name)
      return presentByName(ctx, viewer, input.name)
    },
  }),
  endpoint({
    path: '/api/v1/tags/:name/unfollow',
    summary: 'Follow a hashtag no longer',
    auth: user('write:follows'),
    input: ByName,
    output: Tag,
    run: async (ctx, { input, viewer }) => {
      if (!isValidHashtag(input.name)) throw new NotFound()
      await unfollowTag(ctx, viewer, input.name)
      return presentByName(ctx, viewer, input.name)
    },
  }),
  endpoint({
    path: '/api/v1/tags/:id/feature',
    summary: 'Put a hashtag on the profile',
    auth: user('write:accounts'),
    input: z.object({ id: z.string() }),
    output: Tag,
    run: async (ctx, { input, viewer }) => {
      const name = await tagNameFrom(ctx, input.id)
      await featureTag(ctx, viewer, name)
      return presentByName(ctx, viewer, name)
    },
  }),
  endpoint({
    path: '/api/v1/tags/:id/unfeature',
    summary: 'Take a hashtag off the profile',
    auth: user('write:accounts'),
    input: z.object({ id: z.string() }),
    output: Tag,
    run: async (ctx, { input, viewer }) => {
      const name = await tagNameFrom(ctx, input.id)
      await unfeatureTagNamed(ctx, viewer, name)
      return presentByName(ctx, viewer, name)
    },
  }),
  readEndpoint({
    path: '/api/v1/followed_tags',
    summary: 'Hashtags the viewer follows',
    auth: user('read:follows'),
    input: z.object(paging(100, 100)),
    output: z.array(Tag),
    read: (ctx, { input, as }) =>
      loadTags(ctx, as.id, followedTags(as, pageOf(input)), usesPerWeek('alone', input.limit)),
    show: ({ config }, { input, request, found }) =>
      page(
        found.map((tag) => presentTag(config, tag, true)),
        request,
        {
          cursors: found.map(({ cursor }) => cursor),
          limit: input.limit,
          prev: 'since_id',
        },
      ),
  }),
]

/** Hashtag name in the path: Mastodon takes names, its documentation names ids. Digits alone are no name. */
async function tagNameFrom(ctx: Ctx, nameOrId: string): Promise<string> {
  if (isValidHashtag(nameOrId)) return nameOrId
  const name = await execute(ctx.db, orNotFound(tagName(ctx, Id.parse(nameOrId))))
  return name
}

async function presentByName(ctx: Ctx, viewer: Viewer, written: string): Promise<Tag> {
  const [found] = await execute(
    ctx.db,
    loadTags(ctx, viewerById(viewer.id).id, selectTag(normaliseHashtag(written))),
  )
  return presentTag(ctx.config, found ?? unusedTag(written, ctx.clock.now()), true)
}
