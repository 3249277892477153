import { sql } from 'drizzle-orm'
import { previewCards, previewPages } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

/** As long as nobody has linked to it for a month, a page may be forgotten. */
const keptMilliseconds = 30 * dayMilliseconds
const pagesPerRun = 500

/**
 * Cron: forgets pages that nobody links to any more, with their cards. Those whose card public statuses show stay, and
 * their turn comes again a month later: nothing else would lead to the card once these statuses are gone.
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
      // What the cards above were not of is left to the next run.
      ctx.db.delete(previewPages).where(sql`${previewPages.url} in (select url ${due}) and not ${hasCard}`),
    ),
  )
}
