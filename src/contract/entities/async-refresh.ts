import * as z from 'zod'

export const AsyncRefresh = z
  .strictObject({
    id: z.string(),
    status: z.enum(['running', 'finished']),
    result_count: z.int().nullable(),
  })
  .meta({ id: 'AsyncRefresh' })
export type AsyncRefresh = z.infer<typeof AsyncRefresh>
