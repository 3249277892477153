import { collectionLimits } from '../../contract/limits'
import { type FieldProblem, invalidFields } from '../../errors'
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
  const problems: Readonly<Record<string, readonly FieldProblem[]>> = {
    name: [
      ...(name === '' ? [{ error: 'ERR_BLANK', description: "can't be blank" }] : []),
      ...tooLong(name, collectionLimits.nameCharacters),
    ],
    description: tooLong(description, collectionLimits.descriptionCharacters),
    language:
      language === null && patch.language !== ''
        ? [{ error: 'ERR_INCLUSION', description: 'is not a supported language' }]
        : [],
    tag_name:
      tag !== undefined && tag !== '' && !isValidHashtag(tag)
        ? [{ error: 'ERR_INVALID', description: 'is not a valid hashtag' }]
        : [],
  }
  if (Object.values(problems).some((list) => list.length > 0)) throw invalidFields(problems)
  const { sensitive, discoverable } = patch
  return { name, description, language, tag: tag === '' ? null : tag, sensitive, discoverable }
}

function tooLong(text: string | undefined, limit: number): readonly FieldProblem[] {
  return text !== undefined && [...text].length > limit
    ? [{ error: 'ERR_TOO_LONG', description: `is too long (maximum is ${limit} characters)` }]
    : []
}
