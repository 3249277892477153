import * as z from 'zod'
import { IdString } from '../scalars'

export const Rule = z
  .strictObject({
    id: IdString,
    text: z.string(),
    hint: z.string(),
    // Keyed by language code.
    translations: z.record(z.string(), z.strictObject({ text: z.string(), hint: z.string() })),
  })
  .meta({ id: 'Rule' })
export type Rule = z.infer<typeof Rule>
