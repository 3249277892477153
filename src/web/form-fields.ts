import * as z from 'zod'
import { InvalidFields } from '../errors'
import { problem } from '../errors/sentences'

/** A text field, cut at `maxLength`; empty where the form does not send it. */
export function textField(maxLength?: number) {
  return z.string().transform((text) => text.slice(0, maxLength))
}

/** A checkbox, which forms only send when it is ticked. */
export const checkbox = z.string().transform((text) => text === 'true')

/** The option that the field `name` has chosen; `Invalid` where it has none, or an unknown one. */
export function chosenOf<T extends string>(options: readonly T[], name: string, text: string): T {
  const chosen = options.find((one) => one === text)
  if (chosen !== undefined) return chosen
  throw new InvalidFields([problem(text === '' ? 'not_chosen' : 'not_in_list', { field: name })])
}

/** A checkbox for each of the names. */
export function checkboxes<N extends string>(names: readonly N[]): Partial<Record<N, typeof checkbox>> {
  const fields: Partial<Record<N, typeof checkbox>> = {}
  for (const name of names) fields[name] = checkbox
  return fields
}

/** Names whose checkboxes are ticked in the input of a form. */
export function tickedOf<N extends string>(
  names: readonly N[],
  input: Readonly<Record<string, unknown>>,
): readonly N[] {
  return names.filter((name) => input[name] === true)
}

/** Values of the checkboxes of a form in which `ticked` are set. */
export function checkboxValues<N extends string>(
  names: readonly N[],
  ticked: readonly N[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, String(ticked.includes(name))]))
}

/** A file as bytes; null where none was chosen. Browsers send an empty one for an untouched field. */
export const uploadField = z
  .instanceof(Uint8Array)
  .nullable()
  .transform((bytes) => (bytes === null || bytes.byteLength === 0 ? null : bytes))

/** The whole number above zero in a parameter; undefined for anything else. */
export function positiveNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}
