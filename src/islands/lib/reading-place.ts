import { entries, entryId, isOutOfSight } from './feed'
import { findAll, memberKey } from './page'
import type { Reader } from './reader'
import { fetchPage } from './swap'

/** Pages of older posts that are fetched to find a place again. */
const mostPages = 5

interface Place {
  readonly id: string
  readonly top: number
}

/** Whether a value that the browser kept is a place of a timeline. */
function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && 'id' in value && 'top' in value
}

/** Puts the next page of a timeline below it, and its link to the page after that in place of this one. False at the end. */
export async function appendOlder(): Promise<boolean> {
  const link = document.querySelector('main a[rel=next]')
  const feed = document.querySelector('.feed')
  if (!(link instanceof HTMLAnchorElement) || feed === null || link.dataset['loading'] !== undefined)
    return false
  link.dataset['loading'] = ''
  const found = await fetchPage(link.href)
  delete link.dataset['loading']
  // The link stays where it fails, and works.
  if (found === null || found.status >= 400) return false
  append(feed, entries(found.page))
  const next = found.page.querySelector('main a[rel=next]')
  if (next instanceof HTMLAnchorElement) link.href = next.href
  else link.remove()
  return true
}

/** Puts parts of another page at the end of the feed. Returns the first of the entries that it did not have. */
function append(feed: Element, parts: readonly HTMLElement[]): HTMLElement | null {
  const known = new Set(entries().map(({ id }) => id))
  const fresh = parts.filter(({ id }) => !known.has(id))
  feed.append(...fresh.map((one) => document.adoptNode(one)))
  return fresh.find(({ localName }) => localName === 'article') ?? null
}

/**
 * Puts posts between the newest ones and those that were read before into the feed, a page at a time. Its link stays until the read
 * ones are reached; then that to older posts takes its place. Returns the first of them; null where there were none, or that fails.
 */
async function fillGap(): Promise<HTMLElement | null> {
  const link = document.querySelector('main a[data-gap]')
  const feed = document.querySelector('.feed')
  if (!(link instanceof HTMLAnchorElement) || !(feed instanceof HTMLElement)) return null
  if (link.dataset['loading'] !== undefined) return null
  link.dataset['loading'] = ''
  const found = await fetchPage(link.href)
  delete link.dataset['loading']
  if (found === null || found.status >= 400) return null
  const readUntil = Number(feed.dataset['read'] ?? 0)
  const reached = entries(found.page).some((one) => entryId(one) <= readUntil)
  const first = append(feed, findAll(found.page, '.feed > article, .feed > .seen', HTMLElement))
  const next = found.page.querySelector('main a[rel=next]')
  if (next instanceof HTMLAnchorElement && !reached) link.href = next.href
  else {
    const older = next?.closest('p') ?? null
    const place = link.closest('p')
    if (older === null) place?.remove()
    else place?.replaceWith(document.adoptNode(older))
    loadOlderAhead()
  }
  return first
}

/** Loads posts in between where the link to them stands, which leads to a page of its own without scripts. */
export function loadGaps(reader: Reader): void {
  const link = document.querySelector('main a[data-gap]')
  link?.addEventListener('click', async (event) => {
    if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const first = await fillGap()
    if (first === null) return reader.toasts.show({ text: reader.word('offline') })
    first.setAttribute('tabindex', '-1')
    first.focus({ preventScroll: true })
  })
}

/** Loads older posts before the reader reaches the end. */
export function loadOlderAhead(): void {
  const link = document.querySelector('main a[rel=next]')
  if (link === null || document.querySelector('.feed') === null) return
  const observer = new IntersectionObserver(
    async (changes) => {
      if (!changes.some(({ isIntersecting }) => isIntersecting)) return
      observer.unobserve(link)
      if (await appendOlder()) observer.observe(link)
    },
    { rootMargin: '0px 0px 1200px 0px' },
  )
  observer.observe(link)
}

/** Keeps the place in the timeline for Back, and returns to it. False for a page that was not left before. */
export async function restorePlace(): Promise<boolean> {
  const key = memberKey(`place ${location.pathname}${location.search}`)
  window.addEventListener('pagehide', () => {
    const first = entries().find((one) => !isOutOfSight(one.getBoundingClientRect(), window.innerHeight))
    if (first === undefined) return
    sessionStorage.setItem(key, JSON.stringify({ id: first.id, top: first.getBoundingClientRect().top }))
  })
  const [navigation] = performance.getEntriesByType('navigation')
  const isBack = navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward'
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  if (!isBack || !isPlace(kept)) return false
  for (let pages = 0; document.getElementById(kept.id) === null && pages < mostPages; pages += 1)
    if (!(await appendOlder()) && (await fillGap()) === null) break
  const article = document.getElementById(kept.id)
  if (article === null) return false
  window.scrollBy({ top: article.getBoundingClientRect().top - kept.top, behavior: 'instant' })
  return true
}
