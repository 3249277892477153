import { previewCards, statusLinks, trendingLinks } from '../../src/db/schema'
import { freshHost } from './given-page'
import { type StoredOptions, storedCard, storedStatus } from './given-stored'
import { clock, context } from './test-app'

interface LinkedPage {
  readonly url: string
  /** `?url=` of it. */
  readonly query: string
  /** Stores a status that shows its card; public ones are listed by it. */
  shared(options: StoredOptions): Promise<number>
}

/** A page with a card that trends and may, unless told otherwise. */
export async function trendingLink(
  options: { readonly trends?: boolean; readonly trendable?: boolean | null } = {},
): Promise<LinkedPage> {
  const { trends = true, trendable = true } = options
  const { db, ids } = context()
  const [host, id, now] = [freshHost(), ids.next(), clock.now()]
  const url = `https://${host}/page?a=b&c`
  const card = { ...storedCard, url }
  await db.insert(previewCards).values({ id, url, host, card, trendable, createdAt: now, updatedAt: now })
  // Higher than anything that could decay within a test.
  const rank = now.getTime()
  if (trends)
    await db
      .insert(trendingLinks)
      .values({ cardId: id, rank, peak: 1, peakAt: now, day: 0, language: 'en', history: [] })
  return {
    url,
    query: `url=${encodeURIComponent(url)}`,
    async shared(status) {
      const statusId = await storedStatus({ card, ...status })
      if ((status.visibility ?? 'public') === 'public')
        await db.insert(statusLinks).values({ statusId, cardId: id, accountId: status.accountId })
      return statusId
    },
  }
}
