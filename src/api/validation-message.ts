import type * as z from 'zod'

/** The error message for an invalid value, in Rails' words, where its schema has none of its own. */
export function validationMessage(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return 'is not included in the list'
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? 'is not a number' : 'is invalid'
    case 'too_big':
      return issue.origin === 'string'
        ? `is too long (maximum is ${issue.maximum} characters)`
        : `must be less than or equal to ${issue.maximum}`
    case 'too_small':
      return issue.origin === 'string'
        ? `is too short (minimum is ${issue.minimum} characters)`
        : `must be greater than or equal to ${issue.minimum}`
    default:
      return 'is invalid'
  }
}
