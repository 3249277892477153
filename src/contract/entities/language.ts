import * as z from 'zod'

export const Language = z
  .strictObject({
    code: z.string(),
    name: z.string(),
  })
  .meta({ id: 'Language' })
export type Language = z.infer<typeof Language>
