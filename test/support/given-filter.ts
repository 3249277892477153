import { Filter } from '../../src/contract/entities/filter'
import type { LiveEvent } from '../../src/messages/live'
import { as } from './as'
import type { TestAccount } from './given'

/** A filter made as its owner makes it. */
export async function givenFilter(
  by: TestAccount | string,
  options: Readonly<Record<string, unknown>> & { readonly words?: readonly string[] } = {},
) {
  const { words = [], ...rest } = options
  const { status, body } = await as(by).post('/api/v2/filters', {
    title: 'Filtered',
    context: ['home', 'notifications', 'public', 'thread', 'account'],
    keywords_attributes: words.map((keyword) => ({ keyword })),
    ...rest,
  })
  if (status !== 200) throw new Error(`no filter: ${JSON.stringify(body)}`)
  return Filter.required().parse(body)
}

/** Records the live events of requests made with `overrides`. */
export function listening() {
  const published: LiveEvent[] = []
  const options = { overrides: { streams: { publish: (event: LiveEvent) => void published.push(event) } } }
  return { published, options }
}

/** The id in an answer; null where there is none. */
export function idOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'id' in body ? body.id : null
}
