import type { AppContext } from '../../../ports/app-env'

/** Entries that can be paged through: the ones before a page are read as well. */
const lastOffset = 400

/** The parameter `offset` of a page; 0 for anything that is none. */
export function offsetIn(c: AppContext): number {
  const text = c.req.query('offset') ?? ''
  return /^\d{1,3}$/.test(text) ? Math.min(Number(text), lastOffset) : 0
}

/** A page of a list, and how many entries it has. */
interface CountedPage {
  readonly limit: number
  readonly offset: number
  readonly found: number
}

/** The address of the page after this one; null at the end. Pure. */
export function nextPageUrl(path: string, { limit, offset, found }: CountedPage): string | null {
  const next = offset + limit
  return found < limit || next > lastOffset ? null : `${path}?offset=${next}`
}
