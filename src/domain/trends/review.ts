import { eq, sql } from 'drizzle-orm'
import { previewCards, tags, trendAuthors, trendingStatuses, trendPublishers } from '../../db/schema'
import { NotFound } from '../../errors'
import { parseDomain, parseHandle } from '../../lib/handle'
import { normaliseHashtag } from '../../lib/hashtag'
import type { Ctx } from '../../platform/ports'
import { selectByHandle } from '../accounts/find'
import { Changes, commit } from '../core/changes'

/** Targets of moderators' decisions: an item, or every item of an author or a host. */
export const reviewable = ['tag', 'status', 'author', 'link', 'publisher'] as const
export type Reviewable = (typeof reviewable)[number]

/** A decision whether a target may trend. */
export interface Review {
  readonly what: Reviewable
  /** The name of a hashtag, the id of a status, a handle, the URL of a page or a host. */
  readonly key: string
  readonly trendable: boolean
}

/** Allows or forbids a target to trend from now on. `NotFound` for an unknown one. */
export async function reviewTrend(ctx: Ctx, review: Review): Promise<void> {
  const statement = decisions[review.what](ctx, review)
  if (statement === null) throw new NotFound()
  const [changed] = await commit(ctx, new Changes().add(statement))
  if (changed === 0) throw new NotFound()
}

const decisions = {
  tag(ctx: Ctx, { key, trendable }: Review) {
    const name = normaliseHashtag(key.trim().replace(/^#/, ''))
    return ctx.db.update(tags).set({ trendable, reviewedAt: ctx.clock.now() }).where(eq(tags.name, name))
  },
  status(ctx: Ctx, { key, trendable }: Review) {
    return ctx.db
      .update(trendingStatuses)
      .set({ trendable, reviewedAt: ctx.clock.now() })
      .where(eq(trendingStatuses.statusId, Number(key)))
  },
  author(ctx: Ctx, { key, trendable }: Review) {
    const handle = parseHandle(key, ctx.config.ownDomains)
    if (handle === null) return null
    return ctx.db.run(sql`insert into ${trendAuthors} (account_id, trendable, reviewed_at)
      select author.id, ${trendable ? 1 : 0}, ${ctx.clock.now().getTime()} from (${selectByHandle(handle)}) author where true
      on conflict (account_id) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at`)
  },
  link(ctx: Ctx, { key, trendable }: Review) {
    return ctx.db.update(previewCards).set({ trendable }).where(eq(previewCards.url, key))
  },
  publisher(ctx: Ctx, { key, trendable }: Review) {
    const domain = parseDomain(key)
    if (domain === null) return null
    const row = { id: ctx.ids.next(), domain, trendable, reviewedAt: ctx.clock.now() }
    const { trendable: decision, reviewedAt } = row
    return ctx.db
      .insert(trendPublishers)
      .values(row)
      .onConflictDoUpdate({ target: trendPublishers.domain, set: { trendable: decision, reviewedAt } })
  },
}
