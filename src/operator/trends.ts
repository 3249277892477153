import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod'
import { combineQueries, execute, first } from '../db/query'
import { tags } from '../db/schema'
import { type Trending, trendingLinks, trendingStatuses, trendingTags } from '../domain/trends/find-review'
import { reviewable, reviewTargetByKey } from '../domain/trends/find-review-targets'
import { refreshTrends } from '../domain/trends/refresh'
import { reviewTrend } from '../domain/trends/review'
import { updateTag } from '../domain/trends/update-tag'
import { NotFound } from '../errors'
import { normaliseHashtag } from '../lib/hashtag'
import { htmlToText } from '../lib/html'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Review = z.object({
  what: z.enum(reviewable),
  key: z.string().min(1).max(3_000),
  trendable: z.boolean(),
})

const Hashtag = z.object({
  name: z.string().min(1).max(300),
  display_name: z.string().optional(),
  listable: z.boolean().optional(),
  trendable: z.boolean().optional(),
  usable: z.boolean().optional(),
})

/** Trend review routes for operators without a panel. Mounted behind the set-up token. */
export function trendRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/trends/list', async (c) => {
    const ctx = c.get('ctx')
    const now = ctx.clock.now()
    const found = await execute(
      ctx.db,
      combineQueries({
        tags: trendingTags(ctx, now),
        statuses: trendingStatuses(ctx, now),
        links: trendingLinks(ctx, now),
      }),
    )
    return c.json({
      tags: found.tags.map(lineOf),
      statuses: found.statuses.map(({ words, ...post }) =>
        lineOf({ ...post, words: htmlToText(words ?? '') }),
      ),
      links: found.links.map(lineOf),
    })
  })
  app.post('/setup/trends/refresh', async (c) => {
    await refreshTrends(c.get('ctx'))
    return c.json({})
  })
  app.post('/setup/trends/review', async (c) => {
    const ctx = c.get('ctx')
    const { what, key, trendable } = await readInput(c, Review)
    const found = reviewTargetByKey(ctx, what, key)
    const target = found === null ? null : await execute(ctx.db, found)
    if (target === null) throw new NotFound()
    await reviewTrend(ctx, c.get('moderator'), { target, trendable })
    return c.json({})
  })
  app.post('/setup/trends/hashtag', async (c) => {
    const ctx = c.get('ctx')
    const { name, display_name: displayName, listable, trendable, usable } = await readInput(c, Hashtag)
    const normalised = normaliseHashtag(name)
    const named = ctx.db.select({ id: tags.id }).from(tags).where(eq(tags.name, normalised))
    const tag = await execute(ctx.db, first(named))
    if (tag === null) throw new NotFound()
    await updateTag(ctx, c.get('moderator'), {
      id: tag.id,
      patch: { displayName, listable, trendable, usable },
    })
    return c.json({})
  })
  return app
}

/** User content goes to a terminal: one short line, without control characters. */
function lineOf({ key, of, words, decision, shown }: Trending) {
  return {
    key,
    of,
    shown: shown === 1,
    reviewed: decision !== null,
    words: words === null ? null : words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100),
  }
}
