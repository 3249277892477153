import { sql } from 'drizzle-orm'
import { previewCards, previewPages } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

/** Retention of a page without new links. */
const keptMilliseconds = 30 * dayMilliseconds
const pagesPerRun = 500

/**
 * Cron: deletes pages without new links, with their cards. Pages whose card public statuses show stay, and come up
 * again a month later: once these statuses are deleted, nothing else would lead to the card.
 */
export async function prunePages(ctx: Ctx): Promise<void> {
  const end = ctx.clock.now().getTime() - keptMilliseconds
  const due = sql`from preview_pages where ask_again_at < ${end} order by ask_again_at ${limitTo(pagesPerRun)}`
  const hasCard = sql`exists (select 1 from preview_cards kept where kept.id = ${previewPages.cardId})`
  await commit(
    ctx,
    new Changes().add(
      ctx.db.delete(previewCards).where(
        sql`${previewCards.id} in (select card_id ${due})
          and not exists (select 1 from status_links shown where shown.card_id = ${previewCards.id})
          and not exists (select 1 from trending_links trend where trend.card_id = ${previewCards.id})`,
      ),
      ctx.db
        .update(previewPages)
        .set({ askAgainAt: ctx.clock.now() })
        .where(sql`${previewPages.url} in (select url ${due}) and ${hasCard}`),
      // Pages whose cards are not deleted above are left to the next run.
      ctx.db.delete(previewPages).where(sql`${previewPages.url} in (select url ${due}) and not ${hasCard}`),
    ),
  )
}
