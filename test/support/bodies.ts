import * as z from 'zod'
import type { Answer } from './as'

const Listed = z.array(z.object({ id: z.string() }))

/** The ids of a list answer, in its order. */
export function idsOf(answer: Answer): readonly string[] {
  return Listed.parse(answer.body).map((entity) => entity.id)
}
