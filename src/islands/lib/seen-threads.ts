import { entryId } from './feed'
import { findAll, memberKey } from './page'

/** Threads that the browser remembers; the others are forgotten, the oldest first. */
const mostKept = 30

/** A thread, and the replies that were on its page. */
export type SeenThread = readonly [post: number, replies: readonly number[]]

/** Threads that the browser keeps, latest first; none where it keeps something else. */
export function readThreads(stored: string | null): readonly SeenThread[] {
  const kept: unknown = JSON.parse(stored ?? '[]')
  return Array.isArray(kept) ? kept.filter(isSeenThread) : []
}

function isSeenThread(one: unknown): one is SeenThread {
  return Array.isArray(one) && typeof one[0] === 'number' && Array.isArray(one[1])
}

/** Puts a thread in front of the others, with the replies that were seen before. */
export function withThread(kept: readonly SeenThread[], [post, replies]: SeenThread): readonly SeenThread[] {
  const before = kept.find(([other]) => other === post)?.[1] ?? []
  const all = [...new Set([...before, ...replies])]
  return [[post, all] as const, ...kept.filter(([other]) => other !== post)].slice(0, mostKept)
}

/** Marks replies that were not on the page when the member last opened it in this browser. */
export function markFresh(): void {
  const focus = document.querySelector('main article[data-fresh]')
  if (!(focus instanceof HTMLElement)) return
  const { fresh = '', since = '' } = focus.dataset
  const key = memberKey('threads')
  const kept = readThreads(localStorage.getItem(key))
  const post = entryId(focus)
  const articles = findAll(document, 'article.chain, .branch article', HTMLElement)
  const before = kept.find(([other]) => other === post)?.[1]
  if (before !== undefined)
    for (const article of articles.filter((one) => !before.includes(entryId(one)))) {
      const mark = document.createElement('b')
      mark.className = 'fresh'
      mark.textContent = fresh
      mark.title = since
      article.querySelector('.meta')?.prepend(mark)
    }
  localStorage.setItem(key, JSON.stringify(withThread(kept, [post, articles.map(entryId)])))
}
