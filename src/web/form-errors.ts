import type * as z from 'zod'
import { Conflict, Invalid, InvalidFields } from '../errors'
import { fieldErrors } from '../errors/codes'
import { type Problem, problem } from '../errors/sentences'
import type { PageError } from './error-texts'

/** Problems of a form: by field, and as a whole. */
export interface FormErrors<Field extends string> {
  readonly fields?: Readonly<Partial<Record<Field, readonly PageError[]>>>
  readonly form?: PageError | readonly PageError[]
}

export function hasErrors(errors: FormErrors<string>): boolean {
  return errors.form !== undefined || listProblems(errors).length > 0
}

export function listProblems({ fields = {} }: FormErrors<string>) {
  return Object.entries(fields).flatMap(([field, found = []]) => found.map((one) => ({ field, one })))
}

/**
 * Problems by field as a form shows them; those that name none of its fields as problems of the whole form. Any other
 * failure is thrown again: no form can show it.
 */
export function formErrors<Field extends string>(
  failure: unknown,
  fields: readonly Field[],
): FormErrors<Field> {
  if (!(failure instanceof Invalid || failure instanceof Conflict)) throw failure
  const found = failure instanceof InvalidFields ? failure.fields : []
  const entries = fields.flatMap((field) => {
    const ofField = found.filter(({ values }) => values['field'] === field)
    return ofField.length === 0 ? [] : [[field, ofField]]
  })
  if (entries.length === 0) return { form: failure.problems }
  const shown: Partial<Record<Field, readonly Problem[]>> = Object.fromEntries(entries)
  return { fields: shown }
}

/** Problems that a schema has with the fields of a form, in the same form; messages of its own checks are codes. */
export function schemaErrors({ issues }: z.ZodError): FormErrors<string> {
  const problems = issues.map(({ path, message }) => {
    const field = String(path[0])
    return isFieldCode(message) ? { code: message, values: { field } } : problem('invalid', { field })
  })
  const names = [...new Set(problems.map(({ values }) => String(values['field'])))]
  const ofField = (name: string) => problems.filter(({ values }) => values['field'] === name)
  return { fields: Object.fromEntries(names.map((name) => [name, ofField(name)])) }
}

function isFieldCode(text: string): text is keyof typeof fieldErrors {
  return Object.hasOwn(fieldErrors, text)
}
