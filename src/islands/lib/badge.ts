import { findAll } from './page'
import type { Reader } from './reader'

const mostShown = 99

/** Changes the number of unread entries of a place, wherever the navigation shows it. */
export function changeCount({ number }: Pick<Reader, 'number'>, path: string, by: 1 | -1): void {
  const links = findAll(document, `.nav a[href="${path}"], .bar a[href="${path}"]`, HTMLAnchorElement)
  for (const link of links) {
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
