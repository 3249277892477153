import { eq, type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { previewCards } from '../../db/schema'
import type { Card } from '../../db/values'
import type { CardId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { AccountFacts } from './accounts'
import { creatorCell, creators } from './creators'
import { type DailyUsage, parseUsage, storedUsageCell, weekUntil } from './usage'

/** A frequently linked page. */
export interface TrendingLink {
  readonly id: CardId
  /** A moderator has yet to decide about the page and its host. */
  readonly requiresReview: boolean
  readonly card: Card
  readonly creator: AccountFacts | null
  readonly history: readonly DailyUsage[]
}

/**
 * Loads the cards a selection names by rows (id, cursor), with their creator accounts and usage: one statement.
 */
export function loadTrendingLinks(ctx: Ctx, selection: SQL): Query<TrendingLink[]> {
  const week = weekUntil(ctx.clock.now())
  const found = rows(
    ctx.db
      .select({
        id: previewCards.id,
        card: previewCards.card,
        requiresReview: sql<number>`${previewCards.trendable} is null and not exists (select 1
          from trend_publishers p where p.domain = ${previewCards.host} and p.reviewed_at is not null)`.as(
          'requires_review',
        ),
        creator: creatorCell.as('creator'),
        history: storedUsageCell('trending_links', 'card_id', sql`${previewCards.id}`).as('history'),
      })
      .from(sql`(${selection}) page`)
      .crossJoin(previewCards)
      .leftJoin(creators, eq(creators.id, sql`${previewCards.card} ->> '$.creatorId'`))
      .where(sql`${previewCards.id} = page.id`)
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (list) =>
    list.map((link) => ({
      ...link,
      requiresReview: link.requiresReview === 1,
      history: parseUsage(link.history, week),
    })),
  )
}
