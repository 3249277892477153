import * as z from 'zod'
import type { TestResponse } from './as'

const Listed = z.array(z.object({ id: z.string() }))

/** The ids of a list answer, in its order. */
export function idsOf(answer: TestResponse): readonly string[] {
  return Listed.parse(answer.body).map((entity) => entity.id)
}

/** The ids of a body as numbers, in order; whatever is no list stays as it is, so that a test shows it. */
export function idNumbersOf(body: unknown): unknown {
  const list = Listed.safeParse(body)
  return list.success ? list.data.map(({ id }) => Number(id)) : body
}
