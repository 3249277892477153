import * as z from 'zod'

export const Token = z
  .strictObject({
    access_token: z.string(),
    token_type: z.string(),
    // Separated by spaces.
    scope: z.string(),
    // Unix time in seconds.
    created_at: z.int(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof Token>
