import { collectionLimits } from '../../contract/limits'
import { InvalidFields } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import { isValidHashtag } from '../../lib/hashtag'
import { knownLanguage } from '../../lib/language'

/** Editable properties of a collection; an absent key stays unchanged. */
export interface CollectionPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** A language tag; empty for none. */
  readonly language?: string | undefined
  /** With or without `#`; empty for none. */
  readonly tag?: string | undefined
  readonly sensitive?: boolean | undefined
  readonly discoverable?: boolean | undefined
}

/** The columns a patch sets: Drizzle leaves undefined ones alone. */
export interface CheckedPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | null | undefined
  readonly tag?: string | null | undefined
  readonly sensitive?: boolean | undefined
  readonly discoverable?: boolean | undefined
}

/** The patch, normalised. Throws a single `Invalid` whose details name every error. */
export function checkedCollection(patch: CollectionPatch): CheckedPatch {
  const name = patch.name?.trim()
  const description = patch.description?.trim()
  const tag = patch.tag?.trim().replace(/^#/, '')
  const language = patch.language === undefined ? undefined : knownLanguage(patch.language)
  const problems = [
    ...(name === '' ? [problem('blank', { field: 'name' })] : []),
    ...tooLong('name', name, collectionLimits.nameCharacters),
    ...tooLong('description', description, collectionLimits.descriptionCharacters),
    ...(language === null && patch.language !== ''
      ? [problem('unsupported_language', { field: 'language' })]
      : []),
    ...(tag !== undefined && tag !== '' && !isValidHashtag(tag)
      ? [problem('invalid_hashtag', { field: 'tag_name' })]
      : []),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
  const { sensitive, discoverable } = patch
  return { name, description, language, tag: tag === '' ? null : tag, sensitive, discoverable }
}

function tooLong(field: string, text: string | undefined, max: number): readonly Problem[] {
  return text !== undefined && [...text].length > max ? [problem('too_long', { field, max })] : []
}
