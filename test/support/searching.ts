import { indexStatuses } from '../../src/domain/search/index-statuses'
import { as, type TestResponse } from './as'
import { idNumbersOf } from './body-ids'
import type { TestAccount } from './given'
import { context } from './test-app'

type Params = Readonly<Record<string, string>>

export const searchPath = (q: string, more: Params = {}) =>
  `/api/v2/search?${new URLSearchParams({ q, ...more })}`

/** Searches for statuses alone. */
export function searchStatuses(
  who: TestAccount | string | null,
  q: string,
  more: Params = {},
): Promise<TestResponse> {
  return as(who).get(searchPath(q, { type: 'statuses', ...more }))
}

/** The ids of the statuses somebody finds, in the order given. */
export async function foundStatusIds(
  who: TestAccount | string | null,
  q: string,
  more: Params = {},
): Promise<unknown> {
  const { status, body } = await searchStatuses(who, q, more)
  return typeof body === 'object' && body !== null && 'statuses' in body ? idNumbersOf(body.statuses) : status
}

/** Lets the minute pass in which the index takes up edits and marks. */
export const updateSearchIndex = () => indexStatuses(context())
