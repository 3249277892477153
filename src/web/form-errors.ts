import type * as z from 'zod'
import { Conflict, Invalid, InvalidFields } from '../errors'
import { descriptionOf, humanName } from '../errors/sentences'
import type { FormErrors } from './components/form'

/**
 * Problems by field as a form shows them; refusals that name none of its fields as a problem of the whole form. Any
 * other failure is thrown again: no form can show it.
 */
export function formErrors<Field extends string>(
  failure: unknown,
  fields: readonly Field[],
): FormErrors<Field> {
  if (failure instanceof Conflict) return { form: failure.message }
  if (!(failure instanceof Invalid)) throw failure
  const problems = failure instanceof InvalidFields ? failure.fields : []
  const entries = fields.flatMap((field) => {
    const found = problems.filter(({ values }) => values['field'] === field)
    return found.length === 0
      ? []
      : [[field, found.map((one) => `${humanName(field)} ${descriptionOf(one)}.`)]]
  })
  if (entries.length === 0) return { form: failure.message.replace(/^Validation failed: /, '') }
  const shown: Partial<Record<Field, readonly string[]>> = Object.fromEntries(entries)
  return { fields: shown }
}

/** Problems that a schema has with the fields of a form, in the same form. */
export function schemaErrors({ issues }: z.ZodError): FormErrors<string> {
  const shown: Record<string, readonly string[]> = {}
  for (const { path, message } of issues) {
    const field = String(path[0])
    shown[field] = [...(shown[field] ?? []), `${humanName(field)} ${message}.`]
  }
  return { fields: shown }
}
