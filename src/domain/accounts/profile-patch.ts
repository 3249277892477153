import { parseDomain } from '../../contract/handle'
import { accountLimits } from '../../contract/limits'
import { countCharacters } from '../../contract/text/count'
import type { UserSettings } from '../../db/schema/accounts'
import { InvalidFields } from '../../errors'
import { type Problem, problem, tooLong } from '../../errors/sentences'
import { utf8Bytes } from '../../lib/text/bytes'
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
  const problems = [
    ...tooLong('display_name', patch.displayName, profileLimits.displayName),
    ...(isLongNote(patch.note) ? [longNote] : []),
    ...tooLong('avatar_description', patch.avatarDescription, profileLimits.pictureDescription),
    ...tooLong('header_description', patch.headerDescription, profileLimits.pictureDescription),
    ...badFields(fields ?? []),
    ...badDomains(domains ?? []),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
  return {
    ...patch,
    ...(fields === undefined ? {} : { fields }),
    ...(known === undefined ? {} : { attributionDomains: [...new Set(known)] }),
  }
}

const longNote = problem('too_long', { field: 'note', max: profileLimits.note })

/** Throws `Invalid` for texts that are too long once their links are written out. */
export function refuseLongHtml({
  noteHtml = '',
  fields = [],
}: Partial<Pick<AccountRow, 'noteHtml' | 'fields'>>): void {
  const fieldBytes = fields.reduce((sum, { html }) => sum + utf8Bytes(html), 0)
  const problems = [
    ...(utf8Bytes(noteHtml) > accountLimits.noteHtmlBytes ? [longNote] : []),
    ...(fieldBytes > accountLimits.fieldsHtmlBytes ? [longPart('value', profileLimits.fieldValue)] : []),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
}

function isLongNote(note: string | undefined): boolean {
  return (
    note !== undefined &&
    (utf8Bytes(note) > accountLimits.noteBytes || countCharacters(note) > profileLimits.note)
  )
}

function badFields(fields: readonly FieldSource[]): readonly Problem[] {
  const { fields: most, fieldName, fieldValue } = profileLimits
  return [
    ...(fields.length > most ? [problem('too_many', { field: 'fields', max: most })] : []),
    ...(fields.some(({ name }) => name === '') ? [problem('missing_labels', { field: 'fields' })] : []),
    ...(fields.some(({ name }) => [...name].length > fieldName) ? [longPart('name', fieldName)] : []),
    ...(fields.some(({ value }) => [...value].length > fieldValue) ? [longPart('value', fieldValue)] : []),
  ]
}

function longPart(part: string, max: number): Problem {
  return problem('part_too_long', { field: 'fields', part, max })
}

function badDomains(
  domains: readonly { readonly text: string; readonly domain: string | null }[],
): readonly Problem[] {
  const { attributionDomains: most } = profileLimits
  const field = 'attribution_domains'
  if (domains.length > most) return [problem('too_many', { field, max: most })]
  const bad = domains.filter(({ domain }) => domain === null)
  return bad.map(({ text }) =>
    problem('invalid_domain_on_line', { field, domain: [...text].slice(0, 100).join('') }),
  )
}

/** Users paste page URLs and wildcards where a bare domain is meant. */
function domainOf(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*\./, '')
  return parseDomain(bare.split('/', 1)[0] ?? '')
}
