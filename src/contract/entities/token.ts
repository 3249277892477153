import * as z from 'zod'

export const Token = z
  .strictObject({
    access_token: z.string(),
    token_type: z.string(),
    // Separated by spaces.
    scope: z.string(),
    // Unix time in seconds.
    created_at: z.int(),
    // Lower bound in seconds; absent for a token that lasts until revoked (RFC 6749, 5.1).
    expires_in: z.int().optional(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof Token>
