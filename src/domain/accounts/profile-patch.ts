import { accountLimits } from '../../contract/limits'
import type { UserSettings } from '../../db/schema/accounts'
import { type FieldProblem, invalidFields } from '../../errors'
import { parseDomain } from '../../lib/handle'
import { utf8Bytes } from '../../lib/text/bytes'
import { countCharacters } from '../../lib/text/count'
import type { AccountRow } from './find'

export interface FieldSource {
  readonly name: string
  readonly value: string
}

/** Changes to a profile; an absent key stays as it is. */
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

/** Limits the API documents, in characters and pieces. */
export const profileLimits = {
  displayName: accountLimits.displayNameCharacters,
  note: accountLimits.noteCharacters,
  fields: accountLimits.fields,
  fieldName: accountLimits.fieldNameCharacters,
  fieldValue: accountLimits.fieldValueCharacters,
  pictureDescription: accountLimits.pictureDescriptionCharacters,
  attributionDomains: 100,
} as const

/** Normalises fields and domains. Throws one `Invalid` that names everything over its limit. */
export function checkedPatch(patch: ProfilePatch): ProfilePatch {
  const fields = patch.fields?.flatMap(({ name, value }) => {
    const trimmed = { name: name.trim(), value: value.trim() }
    return trimmed.name === '' && trimmed.value === '' ? [] : [trimmed]
  })
  const domains = patch.attributionDomains?.map((text) => ({ text, domain: domainOf(text) }))
  const known = domains?.flatMap(({ domain }) => domain ?? [])
  const problems = {
    display_name: longerThan(profileLimits.displayName, patch.displayName),
    note: isLongNote(patch.note) ? [tooLong(profileLimits.note)] : [],
    avatar_description: longerThan(profileLimits.pictureDescription, patch.avatarDescription),
    header_description: longerThan(profileLimits.pictureDescription, patch.headerDescription),
    fields: badFields(fields ?? []),
    attribution_domains: badDomains(domains ?? []),
  }
  if (Object.values(problems).some((list) => list.length > 0)) throw invalidFields(problems)
  return {
    ...patch,
    ...(fields === undefined ? {} : { fields }),
    ...(known === undefined ? {} : { attributionDomains: [...new Set(known)] }),
  }
}

function tooLong(limit: number): FieldProblem {
  return { error: 'ERR_TOO_LONG', description: `is too long (maximum is ${limit} characters)` }
}

/** Throws `Invalid` for texts that are too long once their links are written out. */
export function refuseLongHtml({
  noteHtml = '',
  fields = [],
}: Partial<Pick<AccountRow, 'noteHtml' | 'fields'>>): void {
  const fieldBytes = fields.reduce((sum, { html }) => sum + utf8Bytes(html), 0)
  const problems = {
    note: utf8Bytes(noteHtml) > accountLimits.noteHtmlBytes ? [tooLong(profileLimits.note)] : [],
    fields: fieldBytes > accountLimits.fieldsHtmlBytes ? [longPart('value', profileLimits.fieldValue)] : [],
  }
  if (Object.values(problems).some((list) => list.length > 0)) throw invalidFields(problems)
}

function longerThan(limit: number, text: string | undefined): readonly FieldProblem[] {
  return text !== undefined && [...text].length > limit ? [tooLong(limit)] : []
}

function isLongNote(note: string | undefined): boolean {
  return (
    note !== undefined &&
    (utf8Bytes(note) > accountLimits.noteBytes || countCharacters(note) > profileLimits.note)
  )
}

function badFields(fields: readonly FieldSource[]): readonly FieldProblem[] {
  const { fields: most, fieldName, fieldValue } = profileLimits
  return [
    ...(fields.length > most
      ? [{ error: 'ERR_TOO_LONG', description: `are too many (maximum is ${most})` }]
      : []),
    ...(fields.some(({ name }) => name === '')
      ? [
          {
            error: 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS',
            description: 'contains values with missing labels',
          },
        ]
      : []),
    ...(fields.some(({ name }) => [...name].length > fieldName) ? [longPart('name', fieldName)] : []),
    ...(fields.some(({ value }) => [...value].length > fieldValue) ? [longPart('value', fieldValue)] : []),
  ]
}

function longPart(part: string, limit: number): FieldProblem {
  return {
    error: 'ERR_TOO_LONG',
    description: `have a ${part} that is too long (maximum is ${limit} characters)`,
  }
}

function badDomains(
  domains: readonly { readonly text: string; readonly domain: string | null }[],
): readonly FieldProblem[] {
  const { attributionDomains: most } = profileLimits
  if (domains.length > most)
    return [{ error: 'ERR_TOO_LONG', description: `are too many (maximum is ${most})` }]
  const bad = domains.filter(({ domain }) => domain === null)
  return bad.map(({ text }) => ({
    error: 'ERR_INVALID_DOMAIN_ON_LINE',
    description: `${[...text].slice(0, 100).join('')} is not a valid domain name`,
  }))
}

/** Users paste page URLs and wildcards where a bare domain is meant. */
function domainOf(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*\./, '')
  return parseDomain(bare.split('/', 1)[0] ?? '')
}
