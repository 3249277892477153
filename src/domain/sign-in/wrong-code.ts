import { Invalid } from '../../errors'

/** Refusal of a wrong or used code: one answer for all, so that trying reveals nothing. */
export function wrongCode(): Invalid {
  return new Invalid('Validation failed: Code is wrong or was used before', {
    code: [{ error: 'ERR_INVALID', description: 'is wrong or was used before' }],
  })
}
