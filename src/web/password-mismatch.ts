import { confirmationProblems } from '../domain/users/check-sign-up'
import { InvalidFields } from '../errors'

/** Throws `Invalid` if the second password of a form is not the same. */
export function refuseMismatch(passwords: Parameters<typeof confirmationProblems>[0]): void {
  const problems = confirmationProblems(passwords)
  if (problems.length > 0) throw new InvalidFields(problems)
}
