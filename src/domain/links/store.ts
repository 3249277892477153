import { eq, sql } from 'drizzle-orm'
import { previewCards, previewPages, statuses, statusLinks } from '../../db/schema'
import type { Card } from '../../db/values'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { isVersion, type LinkingStatus, listing } from './find'

/** Adds statements that store the card of the page with this key. */
export function storeCard(
  ctx: Ctx,
  changes: Changes,
  page: CachedPageUpdate & { readonly card: Card },
): void {
  const { key, card, askAgainAt } = page
  const now = ctx.clock.now()
  const columns = { card, host: URL.parse(card.url)?.hostname ?? '', updatedAt: now }
  changes.add(
    ctx.db
      .insert(previewCards)
      .values({ id: ctx.ids.next(), url: card.url, createdAt: now, ...columns })
      .onConflictDoUpdate({ target: previewCards.url, set: columns }),
    ctx.db
      .update(previewPages)
      .set({ askAgainAt, cardId: sql`(select id from preview_cards where preview_cards.url = ${card.url})` })
      .where(eq(previewPages.url, key)),
  )
}

export interface CachedPageUpdate {
  readonly key: string
  readonly askAgainAt: Date
}

/**
 * Adds the statement that postpones the next fetch of a page. Its earlier card stays, unless the page has no metadata
 * now.
 */
export function postponePage(
  ctx: Ctx,
  changes: Changes,
  { key, askAgainAt, isBlank }: CachedPageUpdate & { readonly isBlank: boolean },
): void {
  const set = { askAgainAt, ...(isBlank ? { cardId: null } : {}) }
  changes.add(ctx.db.update(previewPages).set(set).where(eq(previewPages.url, key)))
}

/**
 * Adds statements that attach a stored card to a status, with the link as written there, unless the status was edited
 * meanwhile. Public statuses are listed under the card.
 */
export function attachCard(
  ctx: Ctx,
  changes: Changes,
  { status, link, card }: { readonly status: LinkingStatus; readonly link: string; readonly card: Card },
): void {
  changes.add(
    ctx.db
      .update(statuses)
      .set({ card: link === card.url ? card : { ...card, link } })
      .where(isVersion(status)),
    ctx.db.run(sql`insert into ${statusLinks} (status_id, card_id, account_id) ${listing(status, card.url)}
      on conflict (status_id) do update set card_id = excluded.card_id`),
  )
}
