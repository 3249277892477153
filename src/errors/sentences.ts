import { fieldErrors, formErrors, requestErrors } from './codes'
import { fieldErrorsOfApps, formErrorsOfApps, requestErrorsOfApps } from './codes-of-apps'

const ofFields = { ...fieldErrors, ...fieldErrorsOfApps }
const ofForms = { ...formErrors, ...formErrorsOfApps }
const ofRequests = { ...requestErrors, ...requestErrorsOfApps }

/** Code of an error about a field. */
export type FieldErrorCode = keyof typeof ofFields

/** Code of any error. */
export type ErrorCode = FieldErrorCode | keyof typeof ofForms | keyof typeof ofRequests

const sentences = { ...ofFields, ...ofForms, ...ofRequests } satisfies Record<ErrorCode, string>

type Sentences = typeof sentences

/** Names of the placeholders in the words of an error. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Placeholders for numbers; any other is for text. */
type NumberName = 'height' | 'line' | 'max' | 'min' | 'rate' | 'status' | 'width' | 'years'

/** Values that an error has to be given: those of its placeholders, and the field it is about. */
export type ErrorValues<Code extends ErrorCode> = {
  readonly [Name in
    | NamesIn<Sentences[Code]>
    | (Code extends FieldErrorCode ? 'field' : never)]: Name extends NumberName ? number : string
}

/** Code of an error with its values; `field` among them is the name that the API has for a field. */
export interface Problem {
  readonly code: ErrorCode
  readonly values: Readonly<Record<string, string | number>>
}

/** A problem, with the values that its code asks for. */
export function problem<Code extends ErrorCode>(
  code: Code,
  ...[values]: keyof ErrorValues<Code> extends never ? [] : [values: ErrorValues<Code>]
): Problem {
  return { code, values: values ?? {} }
}

/** The problem of a text with more code points than `max`, as Mastodon counts them; empty without one. */
export function tooLong(field: string, text: string | undefined, max: number): readonly Problem[] {
  const isLonger = text !== undefined && text.length > max && [...text].length > max
  return isLonger ? [problem('too_long', { field, max })] : []
}

/** The words of the API for problems of one request, word for word those of Mastodon where it has the same. */
export function englishOf(problems: readonly Problem[]): string {
  const words = problems.map((one) => wordsOf(one)).join(', ')
  return problems.some(({ code }) => code in ofFields || code in ofForms)
    ? `Validation failed: ${words}`
    : words
}

/** Words of a problem about a field, without its name. */
export function descriptionOf({ code, values }: Problem): string {
  return sentences[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Words of the API for one problem, with its field under a name. */
export function wordsOf(one: Problem, name = nameOf(one)): string {
  const description = descriptionOf(one)
  return name === '' || description.startsWith(':') ? `${name}${description}` : `${name} ${description}`
}

function nameOf({ values: { field } }: Problem): string {
  return field === undefined ? '' : (spelled[field] ?? humanName(String(field)))
}

/** Names of fields that Mastodon spells in its own way. */
const spelled: Readonly<Record<string, string>> = { redirect_uri: 'Redirect URI' }

/** Formats `date_of_birth` as `Date of birth`, as Rails names fields, and `minimumAge` as `Minimum age`. */
export function humanName(field: string): string {
  const words = field.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Codes that Mastodon has for problems of fields, which its clients read; of any other, `ERR_INVALID`. */
const mastodonCodes: Partial<Readonly<Record<ErrorCode, string>>> = {
  blank: 'ERR_BLANK',
  not_chosen: 'ERR_BLANK',
  challenge_missing: 'ERR_BLANK',
  challenge_needs_browser: 'ERR_BLANK',
  challenge_used: 'ERR_TAKEN',
  taken: 'ERR_TAKEN',
  reserved: 'ERR_RESERVED',
  not_accepted: 'ERR_ACCEPTED',
  not_in_list: 'ERR_INCLUSION',
  not_offered: 'ERR_INCLUSION',
  unsupported_language: 'ERR_INCLUSION',
  blocked_provider: 'ERR_BLOCKED',
  unreachable_email: 'ERR_UNREACHABLE',
  too_short: 'ERR_TOO_SHORT',
  too_long: 'ERR_TOO_LONG',
  part_too_long: 'ERR_TOO_LONG',
  too_many: 'ERR_TOO_LONG',
  below_age_limit: 'ERR_BELOW_LIMIT',
  missing_labels: 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS',
  invalid_domain_on_line: 'ERR_INVALID_DOMAIN_ON_LINE',
}

/** Problems by field, as Mastodon's API for signing up lists them. */
export function detailsOf(problems: readonly Problem[]) {
  const fields = [...new Set(problems.map(({ values }) => String(values['field'])))]
  return Object.fromEntries(
    fields.map((field) => [
      field,
      problems
        .filter(({ values }) => values['field'] === field)
        .map((one) => ({
          error: mastodonCodes[one.code] ?? 'ERR_INVALID',
          description: descriptionOf(one),
        })),
    ]),
  )
}

/** Problems without those in the same words as one before. */
export function distinct(problems: readonly Problem[]): readonly Problem[] {
  const words = problems.map((one) => wordsOf(one))
  return problems.filter((_, index) => words.indexOf(words[index] ?? '') === index)
}

/** Arguments of an error: a code with the values it asks for, and a detail for the log. */
export type ErrorArguments = {
  [Code in ErrorCode]: keyof ErrorValues<Code> extends never
    ? [code: Code, values?: Readonly<Record<string, never>>, detail?: unknown]
    : [code: Code, values: ErrorValues<Code>, detail?: unknown]
}[ErrorCode]
