import type { Tag } from '../../../contract/entities/tag'
import type { SearchKind } from '../../../domain/statuses/search'
import { paths } from '../../paths'
import type { RelatedPerson } from '../../people/profile-view'
import type { PostView } from '../../posts/post-view'

export const pageSize = { all: 8, one: 20 } as const
/** Results of a kind that can be paged through. */
export const lastOffset = 400

export interface SearchAsked {
  readonly text: string
  readonly type: SearchKind | null
  readonly offset: number
}

/** Results of a search; null before anything was asked for. */
export interface SearchFound {
  readonly people: readonly RelatedPerson[]
  readonly posts: readonly PostView[]
  readonly tags: readonly Tag[]
  /** More may follow. */
  readonly isFull: boolean
}

/** Address of the results of a search. */
export function searchUrl({ text, type, offset }: SearchAsked): string {
  const query = new URLSearchParams({ q: text })
  if (type !== null) query.set('type', type)
  if (offset > 0) query.set('offset', String(offset))
  return `${paths.search}?${query}`
}

/** Address of the next page; null at the end. */
export function moreUrl(asked: SearchAsked, { isFull }: SearchFound): string | null {
  const offset = asked.offset + pageSize.one
  return isFull && offset <= lastOffset ? searchUrl({ ...asked, offset }) : null
}
