import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'

/** Refusal of a wrong or used code: one answer for all, so that trying reveals nothing. */
export function wrongCode(): InvalidFields {
  return new InvalidFields([problem('wrong_or_used', { field: 'code' })])
}
