import { type SQL, sql } from 'drizzle-orm'
import { previewCards, previewPages, statuses, statusLinks } from '../../db/schema'
import type { Card } from '../../db/values'
import type { Ctx } from '../../ports/ctx'
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
    keepPage(ctx, key, {
      askAgainAt,
      cardId: sql<number>`(select id from preview_cards where preview_cards.url = ${card.url})`,
    }),
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
  changes.add(keepPage(ctx, key, set))
}

/** Statement that stores a page, or changes what is stored of it. */
function keepPage(
  ctx: Ctx,
  url: string,
  set: { readonly askAgainAt: Date; readonly cardId?: SQL<number> | null },
) {
  return ctx.db
    .insert(previewPages)
    .values({ url, ...set })
    .onConflictDoUpdate({ target: previewPages.url, set })
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
