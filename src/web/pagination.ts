import type { AppContext } from '../platform/app-env'

/** The parameter `max_id` of a page; undefined on the first page, as for anything that is no id. */
export function parseMaxId(c: AppContext): number | undefined {
  const asked = c.req.query('max_id') ?? ''
  return /^\d{1,16}$/.test(asked) ? Number(asked) : undefined
}

/** The part of a bundle that says where its page ended. */
interface PageEnd {
  readonly cursors: readonly number[]
  /** The selection stopped before the page was full: more may follow however short it is. */
  readonly endsEarly: boolean
}

/** The address of the next page of this path; null at the end. */
export function olderPageUrl(
  c: AppContext,
  { cursors, endsEarly }: PageEnd,
  pageSize: number,
): string | null {
  return cursors.length < pageSize && !endsEarly ? null : `${c.req.path}?max_id=${cursors.at(-1)}`
}
