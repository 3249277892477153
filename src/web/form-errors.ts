import { humanName, Invalid } from '../errors'
import type { FormErrors } from './components/form'

/** A refusal by field as a form shows it. What is no refusal of fields is not for a form: it rises. */
export function formErrors<Field extends string>(
  failure: unknown,
  fields: readonly Field[],
): FormErrors<Field> {
  if (!(failure instanceof Invalid) || failure.details === null) throw failure
  const { details } = failure
  const entries = fields.flatMap((field) => {
    const problems = details[field] ?? []
    return problems.length === 0
      ? []
      : [[field, problems.map((p) => `${humanName(field)} ${p.description}.`)]]
  })
  if (entries.length === 0) throw failure
  const shown: Partial<Record<Field, readonly string[]>> = Object.fromEntries(entries)
  return { fields: shown }
}
