import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { AdminTrendLines } from '../../contract/entities/admin/trends'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { combineQueries, execute, first } from '../../db/query'
import { tags } from '../../db/schema'
import {
  reviewable,
  reviewTargetByKey,
  type Trending,
  trendingLinks,
  trendingStatuses,
  trendingTags,
} from '../../domain/trends/find-review'
import { refreshTrends } from '../../domain/trends/refresh'
import { reviewTrend } from '../../domain/trends/review'
import { NotFound } from '../../errors'
import { htmlToText } from '../../lib/html'
import { endpoint, readEndpoint, staff } from '../endpoint'

const path = '/api/fieldfare/v1/admin/trends'
const writing = staff('admin:write', 'manageTaxonomies')

/** Trends as lines, and decisions by the names of things: Mastodon's endpoints page whole entities, and want ids. */
export const adminTrendLines = [
  readEndpoint({
    path,
    summary: 'Everything that trends or would, a line each, highest first, with what was decided about it',
    auth: staff('admin:read', 'manageTaxonomies'),
    output: AdminTrendLines,
    read: (ctx, { now }) =>
      combineQueries({
        tags: trendingTags(ctx, now),
        statuses: trendingStatuses(ctx, now),
        links: trendingLinks(ctx, now),
      }),
    show: (_ctx, { found }) => ({
      tags: found.tags.map(lineOf),
      statuses: found.statuses.map(({ words, ...post }) =>
        lineOf({ ...post, words: htmlToText(words ?? '') }),
      ),
      links: found.links.map(lineOf),
    }),
  }),
  endpoint({
    path: `${path}/refresh`,
    summary: 'Counts at once what trends, which is done every hour otherwise',
    auth: writing,
    run: (ctx) => refreshTrends(ctx),
  }),
  endpoint({
    path: `${path}/review`,
    summary:
      'Lets a hashtag, status, page, or all of an author or publisher trend, or keeps them from it: `key` is name, id, URL, handle or host',
    auth: writing,
    input: z.object({
      what: z.enum(reviewable),
      key: z.string().min(1).max(3_000),
      trendable: z.boolean(),
    }),
    run: async (ctx, { input: { what, key, trendable }, viewer }) => {
      const found = reviewTargetByKey(ctx, what, key)
      const target = found === null ? null : await execute(ctx.db, found)
      if (target === null) throw new NotFound()
      await reviewTrend(ctx, viewer, { target, trendable })
    },
  }),
  readEndpoint({
    path: '/api/fieldfare/v1/admin/tags/lookup',
    summary: 'Id and name of the hashtag with a name',
    auth: staff('admin:read', 'manageTaxonomies'),
    input: z.object({ name: z.string().min(1).max(300) }),
    output: z.strictObject({ id: z.string(), name: z.string() }),
    read: ({ db }, { input }) =>
      first(
        db
          .select({ id: tags.id, name: tags.name })
          .from(tags)
          .where(eq(tags.name, normaliseHashtag(input.name))),
      ),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return { id: String(found.id), name: found.name }
    },
  }),
]

/** Line of a list at a terminal: texts by people are cut and lose their control characters. */
function lineOf({ key, of, words, decision, shown }: Trending) {
  return {
    key,
    of,
    shown: shown === 1,
    reviewed: decision !== null,
    words: words === null ? null : words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100),
  }
}
