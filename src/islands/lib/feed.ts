import { findAll } from './page'

/** Height of the head that stays on top of a view, in pixels. */
const headHeight = 56

/** The entries of the first feed of the page, newest first. */
export function entries(page: Document = document): readonly HTMLElement[] {
  const feed = page.querySelector('.feed')
  return feed === null ? [] : findAll(feed, 'article.post, article.boosts', HTMLElement)
}

/** Id of the entry of a timeline that an article shows; 0 for none. */
export function entryId(article: Element): number {
  return Number(/^p-(\d+)$/.exec(article.id)?.[1] ?? 0)
}

/** Articles of the post with this id: also boosts of it. */
export function articlesOf(postId: string): readonly HTMLElement[] {
  const forms = findAll(document, `form.acts[action="/posts/${postId}"]`, HTMLFormElement)
  return forms.flatMap((form) => {
    const article = form.closest('article')
    return article === null ? [] : [article]
  })
}

export interface Span {
  readonly top: number
  readonly bottom: number
}

/** Whether a reader sees nothing of an element that stands there, in a window of this height. */
export function isOutOfSight({ top, bottom }: Span, height: number): boolean {
  return bottom <= headHeight || top >= height
}

/** Whether an element was read to its end: it is in sight as a whole, or its end is. */
export function isInFullView({ top, bottom }: Span, height: number): boolean {
  return bottom <= height && bottom > headHeight && (top >= headHeight || bottom - top > height - headHeight)
}

/** Runs a change of the page that leaves in place what is read: the first entry in sight stays at its height. */
export function keepingPlace(change: () => void): void {
  const first = entries().find((one) => !isOutOfSight(one.getBoundingClientRect(), window.innerHeight))
  const before = first?.getBoundingClientRect().top ?? 0
  change()
  const after = first?.getBoundingClientRect().top ?? 0
  // Browsers that anchor by themselves have done it already: then nothing is left to scroll.
  if (after !== before) window.scrollBy({ top: after - before, behavior: 'instant' })
}
