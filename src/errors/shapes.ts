import type * as z from 'zod'
import type { Problem } from './sentences'

/** Words for a value of the wrong shape, as Rails has them, where its schema has none of its own. */
export function wordsOfShape(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
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

/** A problem for each value of the wrong shape, for programs that name parameters themselves. */
export function problemsOfShape(issues: readonly z.core.$ZodIssue[]): readonly Problem[] {
  return issues.map((issue) => {
    const last = issue.path.at(-1)
    const names = issue.path.filter((part) => typeof part !== 'number')
    const field = names.map(String).join('.')
    const about: Problem['values'] = typeof last === 'number' ? { field, entry: String(last + 1) } : { field }
    return problemAbout(about, issue)
  })
}

function problemAbout(about: Problem['values'], issue: z.core.$ZodIssue): Problem {
  if (issue.message !== wordsOfShape(issue))
    return { code: 'in_own_words', values: { ...about, reason: issue.message } }
  switch (issue.code) {
    case 'invalid_value':
      return { code: 'not_offered', values: about }
    case 'invalid_type':
      return {
        code: issue.expected === 'number' || issue.expected === 'int' ? 'no_number' : 'invalid',
        values: about,
      }
    case 'too_big':
      return { code: tooMuch(issue.origin), values: { ...about, max: Number(issue.maximum) } }
    case 'too_small':
      return tooLittle(about, issue.origin, Number(issue.minimum))
    default:
      return { code: 'invalid', values: about }
  }
}

function tooMuch(origin: string) {
  if (origin === 'string') return 'too_long'
  return origin === 'array' ? 'too_many_entries' : 'number_too_large'
}

function tooLittle(about: Problem['values'], origin: string, min: number): Problem {
  if (origin === 'array' || (origin === 'string' && min === 1)) return { code: 'blank', values: about }
  return { code: origin === 'string' ? 'too_short' : 'number_too_small', values: { ...about, min } }
}
