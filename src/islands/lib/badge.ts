import { findAll } from './page'
import type { Reader } from './reader'

const mostShown = 99

function linksTo(path: string): readonly HTMLAnchorElement[] {
  return findAll(document, `.nav a[href="${path}"], .bar a[href="${path}"]`, HTMLAnchorElement)
}

/** Number of unread entries of a place, as the navigation shows it. */
export function unreadIn(path: string): number {
  return Number(linksTo(path)[0]?.dataset['unread'] ?? 0)
}

/** Changes the number of unread entries of a place, wherever the navigation shows it. */
export function changeCount({ number }: Pick<Reader, 'number'>, path: string, by: number): void {
  for (const link of linksTo(path)) {
    const [badge = document.createElement('span')] = findAll(link, '.count', HTMLElement)
    const count = Math.max(0, Number(link.dataset['unread'] ?? 0) + by)
    link.dataset['unread'] = String(count)
    if (count === 0) {
      badge.remove()
      continue
    }
    badge.className = 'count'
    const words = count > mostShown ? `${number(mostShown)}+` : number(count)
    // Behind the number stands what it counts, for screen readers.
    if (badge.firstChild === null) badge.append(words)
    else badge.firstChild.textContent = words
    link.append(badge)
  }
}
