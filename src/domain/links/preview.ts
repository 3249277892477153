import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { previewPages } from '../../db/schema'
import type { Card } from '../../db/values'
import { Unreachable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { StatusId } from '../../lib/ids'
import { registrableDomain } from '../../lib/registrable-domain'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, retry } from '../core/outcome'
import { findCachedPage, type LinkingStatus, linkingStatus } from './find'
import { pageKey } from './find-link'
import { makeCard } from './make-card'
import { attachCard, postponePage, storeCard } from './store'

/** Cache lifetimes of a card (as in Mastodon), of a page without metadata, and of a failure. */
const cacheMilliseconds = { card: 14 * dayMilliseconds, blank: dayMilliseconds, unreachable: 6 * 3_600_000 }
/** Lifetime of a claim: long enough for the fetch of a page. */
const claimMilliseconds = 120_000

/** A status and its linked page. */
interface PreviewTask {
  readonly status: LinkingStatus
  readonly link: string
  readonly key: string
  /** The card cached earlier. */
  readonly earlier: Card | null
}

/**
 * Attaches the preview of its link to a status.
 *
 * A page is fetched once in two weeks, whatever number of statuses link to it; during a fetch, other jobs retry
 * later. A page without metadata is not fetched again for a day, a failing one for hours. A status that is edited
 * meanwhile keeps the preview that its own job finds.
 */
export async function previewLink(ctx: Ctx, id: StatusId): Promise<Outcome> {
  const status = await execute(ctx.db, linkingStatus(ctx, id))
  if (status === null) return ignored('the status is gone')
  const { link, hasCard } = status
  if (hasCard || link === null) return ignored('there is nothing to preview')
  const key = pageKey(link)
  const known = await execute(ctx.db, findCachedPage(ctx, key))
  const asked = { status, link, key, earlier: known?.card ?? null }
  const leftMilliseconds = (known?.askAgainAt.getTime() ?? 0) - ctx.clock.now().getTime()
  if (leftMilliseconds <= 0) {
    if (exceedsPageLimit(ctx, key))
      return status.local ? retry(60) : ignored('too many pages of its server were fetched')
    return (await claim(ctx, key)) ? fetchPreview(ctx, asked) : retry(30)
  }
  if (asked.earlier !== null) return attach(ctx, new Changes(), asked, asked.earlier)
  return leftMilliseconds <= claimMilliseconds ? retry(60) : ignored('the page has no preview')
}

/** Pages of one registrable domain fetched in a minute: remote statuses may link to any number of them. */
const maxPagesPerMinute = 60

function exceedsPageLimit(ctx: Ctx, key: string): boolean {
  const domain = registrableDomain(URL.parse(key)?.host ?? '')
  return ctx.memory.increment(`pages of ${domain}`, 60) > maxPagesPerMinute
}

/** True for exactly one of several jobs that want to fetch the page now. */
async function claim(ctx: Ctx, key: string): Promise<boolean> {
  const now = ctx.clock.now().getTime()
  const askAgainAt = new Date(now + claimMilliseconds)
  const claimed = ctx.db
    .insert(previewPages)
    .values({ url: key, askAgainAt })
    .onConflictDoUpdate({
      target: previewPages.url,
      set: { askAgainAt },
      // Also claimed if its card was pruned, though another URL led to it.
      setWhere: sql`${previewPages.askAgainAt} <= ${now} or (${previewPages.cardId} is not null
        and not exists (select 1 from preview_cards c where c.id = ${previewPages.cardId}))`,
    })
  const [changed] = await commit(ctx, new Changes().add(claimed))
  return changed === 1
}

async function fetchPreview(ctx: Ctx, asked: PreviewTask): Promise<Outcome> {
  const { key, earlier } = asked
  const said = await fetchCard(ctx, key)
  const changes = new Changes()
  const askAgainAt = new Date(ctx.clock.now().getTime() + cacheMilliseconds[said.kind])
  if (said.kind === 'card') {
    storeCard(ctx, changes, { key, askAgainAt, card: said.card })
    return attach(ctx, changes, asked, said.card)
  }
  postponePage(ctx, changes, { key, askAgainAt, isBlank: said.kind === 'blank' })
  if (said.kind === 'unreachable' && earlier !== null) return attach(ctx, changes, asked, earlier)
  await commit(ctx, changes)
  return ignored(`the page is ${said.kind}`)
}

type PageResult = { readonly kind: 'card'; readonly card: Card } | { readonly kind: 'blank' | 'unreachable' }

async function fetchCard(ctx: Ctx, key: string): Promise<PageResult> {
  try {
    const card = await makeCard(ctx, key)
    return card === null ? { kind: 'blank' } : { kind: 'card', card }
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('A page could not be fetched', { host: URL.parse(key)?.host, cause: failure })
    return { kind: 'unreachable' }
  }
}

async function attach(
  ctx: Ctx,
  changes: Changes,
  { status, link }: PreviewTask,
  card: Card,
): Promise<Outcome> {
  attachCard(ctx, changes, { status, link, card })
  await commit(ctx, changes)
  return done
}
