import { execute } from '../../db/query'
import type { Card } from '../../db/values'
import { Unreachable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { StatusId } from '../../lib/ids'
import { registrableDomain } from '../../lib/registrable-domain'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, retry } from '../core/changes'
import { findCachedPage, type LinkingStatus, linkingStatus } from './find'
import { makeCard } from './make-card'
import { pageKey } from './request-preview'
import { attachCard, postponePage, storeCard } from './store'

/** Cache lifetimes of a card (as in Mastodon), of a page without metadata, and of a failure. */
const cacheMilliseconds = { card: 14 * dayMilliseconds, blank: dayMilliseconds, unreachable: 6 * 3_600_000 }
/** Lifetime of a claim: long enough for the fetch of a page. */
const claimSeconds = 120

/** A status and its linked page. */
interface PreviewTask {
  readonly status: LinkingStatus
  readonly link: string
  readonly key: string
  /** The card cached earlier. */
  readonly earlier: Card | null
}

/**
 * Attaches the preview of its link to a status: of the page `attached` to it, or else of the first link of its text.
 *
 * A page is fetched once in two weeks, whatever number of statuses link to it; during a fetch, other jobs of the isolate
 * retry later: a claim for all isolates would be a row for each page. A page without metadata is not fetched again for a
 * day, a failing one for hours. A status that is edited meanwhile keeps the preview that its own job finds.
 */
export async function previewLink(ctx: Ctx, id: StatusId, attached?: string): Promise<Outcome> {
  const status = await execute(ctx.db, linkingStatus(ctx, id))
  if (status === null) return ignored('status is deleted')
  const { hasCard } = status
  const link = attached ?? status.link
  if (hasCard || link === null) return ignored('nothing to preview')
  const key = pageKey(link)
  const cached = await execute(ctx.db, findCachedPage(ctx, key))
  const task = { status, link, key, earlier: cached?.card ?? null }
  const leftMilliseconds = (cached?.askAgainAt.getTime() ?? 0) - ctx.clock.now().getTime()
  if (leftMilliseconds <= 0) {
    if (exceedsPageLimit(ctx, key))
      return status.local ? retry(60) : ignored('domain exceeds the fetch limit')
    return claim(ctx, key) ? fetchPreview(ctx, task) : retry(30)
  }
  if (task.earlier !== null) return attach(ctx, new Changes(), task, task.earlier)
  return ignored('page has no preview')
}

/** Pages of one registrable domain fetched in a minute: remote statuses may link to any number of them. */
const maxPagesPerMinute = 60

function exceedsPageLimit(ctx: Ctx, key: string): boolean {
  const domain = registrableDomain(URL.parse(key)?.host ?? '')
  return ctx.memory.increment(`pages of ${domain}`, 60) > maxPagesPerMinute
}

/** True for the first of several jobs of the isolate that want to fetch the page now. */
function claim(ctx: Ctx, key: string): boolean {
  return ctx.memory.increment(`claim of ${key}`, claimSeconds) === 1
}

async function fetchPreview(ctx: Ctx, task: PreviewTask): Promise<Outcome> {
  const { key, earlier } = task
  const result = await fetchCard(ctx, key)
  const changes = new Changes()
  const askAgainAt = new Date(ctx.clock.now().getTime() + cacheMilliseconds[result.kind])
  if (result.kind === 'card') {
    storeCard(ctx, changes, { key, askAgainAt, card: result.card })
    return attach(ctx, changes, task, result.card)
  }
  postponePage(ctx, changes, { key, askAgainAt, isBlank: result.kind === 'blank' })
  if (result.kind === 'unreachable' && earlier !== null) return attach(ctx, changes, task, earlier)
  await commit(ctx, changes)
  return ignored(`page is ${result.kind}`)
}

type PageResult = { readonly kind: 'card'; readonly card: Card } | { readonly kind: 'blank' | 'unreachable' }

async function fetchCard(ctx: Ctx, key: string): Promise<PageResult> {
  try {
    const card = await makeCard(ctx, key)
    return card === null ? { kind: 'blank' } : { kind: 'card', card }
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch a page', { host: URL.parse(key)?.host, cause: failure })
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
