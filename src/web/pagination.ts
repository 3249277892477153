import type { AppContext } from '../ports/app-env'

/** The parameter `max_id` of a page; undefined on the first page, as for anything that is no id. */
export function parseMaxId(c: AppContext): number | undefined {
  return readMaxId(c.req.query('max_id') ?? '')
}

/** The id in the text of `max_id`; undefined for anything else. Pure. */
export function readMaxId(text: string): number | undefined {
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined
}

/** Address of the page that begins behind `last`, with the filters that are set; null without an entry to begin behind. Pure. */
export function pageBehind(
  path: string,
  last: number | null | undefined,
  filters: Readonly<Record<string, string>> = {},
): string | null {
  if (last == null) return null
  const kept = Object.entries(filters).filter(([, value]) => value !== '')
  return `${path}?${new URLSearchParams([...kept, ['max_id', String(last)]])}`
}

/** The part of a bundle that says where its page ended. */
interface PageEnd {
  readonly cursors: readonly number[]
  /** The selection stopped before the page was full: more may follow however short it is. */
  readonly endsEarly: boolean
}

/** The cursor that the next page begins behind; undefined at the end. Pure. */
export function lastCursor({ cursors, endsEarly }: PageEnd, pageSize: number): number | undefined {
  return cursors.length < pageSize && !endsEarly ? undefined : cursors.at(-1)
}

/** The address of the next page of this path; null at the end. */
export function olderPageUrl(c: AppContext, page: PageEnd, pageSize: number): string | null {
  return pageBehind(c.req.path, lastCursor(page, pageSize))
}
