import type { UserSettings } from '../../db/schema/accounts'
import { validationFailed } from '../../errors'
import { parseDomain } from '../../lib/handle'
import { accountLimits } from '../../lib/limits'
import { utf8Bytes } from '../../lib/text/bytes'
import { countCharacters } from '../../lib/text/count'
import type { AccountRow } from './find'

export interface FieldSource {
  readonly name: string
  readonly value: string
}

/** What a person changes about their account; an absent key stays as it is. */
export interface ProfilePatch {
  readonly displayName?: string | undefined
  readonly note?: string | undefined
  readonly fields?: readonly FieldSource[] | undefined
  readonly avatar?: Uint8Array | undefined
  readonly avatarDescription?: string | undefined
  readonly header?: Uint8Array | undefined
  readonly headerDescription?: string | undefined
  readonly locked?: boolean | undefined
  readonly bot?: boolean | undefined
  readonly discoverable?: boolean | undefined
  readonly indexable?: boolean | undefined
  readonly hideCollections?: boolean | undefined
  readonly showMedia?: boolean | undefined
  readonly showMediaReplies?: boolean | undefined
  readonly showFeatured?: boolean | undefined
  readonly attributionDomains?: readonly string[] | undefined
  readonly settings?: UserSettings | undefined
}

/** What the API documents, in characters and pieces. */
export const profileLimits = {
  displayName: accountLimits.displayNameCharacters,
  note: accountLimits.noteCharacters,
  fields: accountLimits.fields,
  fieldName: accountLimits.fieldNameCharacters,
  fieldValue: accountLimits.fieldValueCharacters,
  pictureDescription: accountLimits.pictureDescriptionCharacters,
  attributionDomains: 100,
} as const

const noteTooLong = `Note is too long (maximum is ${profileLimits.note} characters)`
const fieldValueTooLong = `Field value is too long (maximum is ${profileLimits.fieldValue} characters)`

/** The patch with fields and domains brought into form. Throws one `Invalid` that names everything over its limit. */
export function checkedPatch(patch: ProfilePatch): ProfilePatch {
  const fields = patch.fields?.flatMap(({ name, value }) => {
    const trimmed = { name: name.trim(), value: value.trim() }
    return trimmed.name === '' && trimmed.value === '' ? [] : [trimmed]
  })
  const domains = patch.attributionDomains?.map(domainOf)
  const sentences = [
    ...tooLong('Display name', patch.displayName, profileLimits.displayName),
    ...tooLongNote(patch.note),
    ...tooLong('Avatar description', patch.avatarDescription, profileLimits.pictureDescription),
    ...tooLong('Header description', patch.headerDescription, profileLimits.pictureDescription),
    ...badFields(fields ?? []),
    ...badDomains(domains ?? []),
  ]
  if (sentences.length > 0) throw validationFailed(...sentences)
  return {
    ...patch,
    ...(fields === undefined ? {} : { fields }),
    ...(domains === undefined ? {} : { attributionDomains: [...new Set(domains.filter(isKnown))] }),
  }
}

function tooLong(what: string, text: string | undefined, limit: number): string[] {
  return text !== undefined && [...text].length > limit
    ? [`${what} is too long (maximum is ${limit} characters)`]
    : []
}

function tooLongNote(note: string | undefined): string[] {
  const isTooLong =
    note !== undefined &&
    (utf8Bytes(note) > accountLimits.noteBytes || countCharacters(note) > profileLimits.note)
  return isTooLong ? [noteTooLong] : []
}

/** Throws `Invalid` for texts that are too long once their links are written out. */
export function refuseLongHtml({
  noteHtml = '',
  fields = [],
}: Partial<Pick<AccountRow, 'noteHtml' | 'fields'>>): void {
  const fieldBytes = fields.reduce((sum, { html }) => sum + utf8Bytes(html), 0)
  const sentences = [
    ...(utf8Bytes(noteHtml) > accountLimits.noteHtmlBytes ? [noteTooLong] : []),
    ...(fieldBytes > accountLimits.fieldsHtmlBytes ? [fieldValueTooLong] : []),
  ]
  if (sentences.length > 0) throw validationFailed(...sentences)
}

function badFields(fields: readonly FieldSource[]): string[] {
  return [
    ...(fields.length > profileLimits.fields
      ? [`Fields are too many (maximum is ${profileLimits.fields})`]
      : []),
    ...(fields.some(({ name }) => name === '') ? ['Fields must have a name where they have a value'] : []),
    ...fields.flatMap(({ name }) => tooLong('Field name', name, profileLimits.fieldName)),
    ...fields.flatMap(({ value }) => tooLong('Field value', value, profileLimits.fieldValue)),
  ]
}

function badDomains(domains: readonly (string | null)[]): string[] {
  const { attributionDomains } = profileLimits
  return [
    ...(domains.length > attributionDomains
      ? [`Attribution domains are too many (maximum is ${attributionDomains})`]
      : []),
    ...(domains.every(isKnown) ? [] : ['Attribution domains contain what is not a domain name']),
  ]
}

/** People paste addresses of pages and wildcards where a bare domain is meant. */
function domainOf(text: string): string | null {
  return parseDomain(
    text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\*\./, '')
      .replace(/\/.*$/, ''),
  )
}

function isKnown(domain: string | null): domain is string {
  return domain !== null
}
