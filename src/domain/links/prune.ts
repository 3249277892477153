import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first, limitTo } from '../../db/query'
import { previewCards, previewPages, settings } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Retention of a page without new links. */
const keptMilliseconds = 30 * dayMilliseconds
/** Pages looked at in one run, in the order of their addresses: an index by time would cost each preview two rows. */
const pagesPerRun = 500

const placeKey = 'task.prune-link-pages'
/** The last page looked at; empty at the end of a round. */
const Place = z.object({ url: z.string() })

/**
 * Cron: deletes pages without new links, with their cards, some in a run. Pages whose card public statuses show stay, and
 * come up again a month later: once these statuses are deleted, nothing else would lead to the card.
 */
export async function prunePages(ctx: Ctx, limit = pagesPerRun): Promise<void> {
  const { stored, end } = await execute(
    ctx.db,
    combineQueries({
      stored: first(
        ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, placeKey)),
      ),
      end: first(endOfPart(ctx, limit)),
    }),
  )
  const begin = Place.safeParse(stored?.value).data?.url ?? ''
  const isInPart = end === null ? sql`url > ${begin}` : sql`url > ${begin} and url <= ${end.url}`
  const oldest = ctx.clock.now().getTime() - keptMilliseconds
  const due = sql`from preview_pages where ${isInPart} and ask_again_at < ${oldest}`
  const hasCard = sql`exists (select 1 from preview_cards kept where kept.id = ${previewPages.cardId})`
  const value = { url: end?.url ?? '' }
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
      // Pages whose cards are not deleted above are left to the next round.
      ctx.db.delete(previewPages).where(sql`${previewPages.url} in (select url ${due}) and not ${hasCard}`),
      ctx.db
        .insert(settings)
        .values({ key: placeKey, value, updatedAt: ctx.clock.now() })
        .onConflictDoUpdate({
          target: settings.key,
          set: { value },
          // A round of one run writes nothing.
          setWhere: sql`${settings.value} ->> 'url' <> ${value.url}`,
        }),
    ),
  )
}

/** The last page of this run; none where the round ends with it. */
function endOfPart(ctx: Ctx, limit: number) {
  const place = sql`coalesce((select value ->> 'url' from settings where key = ${placeKey}), '')`
  return ctx.db
    .select({ url: previewPages.url })
    .from(previewPages)
    .where(
      sql`${previewPages.url} > ${place} order by ${previewPages.url} ${limitTo(1)} ${sql.raw(`offset ${limit - 1}`)}`,
    )
}
