import { isObject, listOf } from './json'

/** Bare name of a property or type, whether written so, with a prefix, or as a full address. */
export type Naming = (written: string) => string

const MAX_CONTEXTS = 20
const MAX_DEFINITIONS = 200

/** Vocabularies whose terms are read by their bare names, and the prefixes that everybody gives them. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  'https://www.w3.org/ns/activitystreams#': ['as'],
  'http://www.w3.org/ns/activitystreams#': [],
  'http://www.w3.org/ns/ldp#': ['ldp'],
  'https://w3id.org/security#': ['sec', 'security'],
  'http://schema.org#': ['schema'],
  'http://schema.org/': ['sc'],
  'https://schema.org/': [],
  'http://joinmastodon.org/ns#': ['toot'],
  'https://joinpeertube.org/ns#': ['pt'],
  'https://misskey-hub.net/ns#': ['misskey'],
  'http://fedibird.com/ns#': ['fedibird'],
  'http://litepub.social/ns#': ['litepub'],
  'https://gotosocial.org/ns#': ['gts'],
  'https://funkwhale.audio/ns#': [],
  'https://join-lemmy.org/ns#': ['lemmy'],
  'https://w3id.org/fep/044f#': [],
  'https://w3id.org/fep/7aa9#': [],
}

const usualPrefixes: ReadonlySet<string> = new Set(Object.values(vocabularies).flat())

const keywords = new Map([
  ['@id', 'id'],
  ['@type', 'type'],
])

/** Reads keywords, usual prefixes and full addresses. */
export const plainNaming: Naming = (written) => nameOf(written, (prefix) => usualPrefixes.has(prefix))

/** Naming and language that a context adds to those around it; `language` is undefined where it says nothing of one. */
export function namingIn(
  context: unknown,
  around: Naming,
): { readonly naming: Naming; readonly language: string | null | undefined } {
  const definitions = listOf(context, MAX_CONTEXTS).filter(isObject)
  if (definitions.length === 0) return { naming: around, language: undefined }
  const named = definitions.filter((definition) => '@language' in definition).at(-1)?.['@language']
  const language = typeof named === 'string' ? named : named === undefined ? undefined : null
  return { naming: prefixedNaming(definitions, around), language }
}

/** Naming by the prefixes of a context, which are looked up only where a name has one. */
function prefixedNaming(definitions: readonly object[], around: Naming): Naming {
  let prefixes: ReadonlyMap<string, boolean> | null = null
  return (written) => {
    if (!written.includes(':')) return around(written)
    prefixes ??= prefixesOf(definitions)
    const known = prefixes
    const [prefix = ''] = written.split(':', 1)
    return known.has(prefix) ? nameOf(written, () => known.get(prefix) === true) : around(written)
  }
}

/** Prefixes that a context defines, and whether each stands for a known vocabulary. */
function prefixesOf(definitions: readonly object[]): ReadonlyMap<string, boolean> {
  const entries = definitions.flatMap((definition) => Object.entries(definition).slice(0, MAX_DEFINITIONS))
  return new Map(
    entries.flatMap(([prefix, meaning]) => {
      const address: unknown = isObject(meaning) ? meaning['@id'] : meaning
      return typeof address === 'string' && !prefix.startsWith('@')
        ? [[prefix, Object.hasOwn(vocabularies, address)]]
        : []
    }),
  )
}

function nameOf(written: string, isPrefix: (prefix: string) => boolean): string {
  if (!written.includes(':')) return keywords.get(written) ?? written
  const start = Math.max(written.lastIndexOf('#'), written.lastIndexOf('/')) + 1
  if (start > 0) return Object.hasOwn(vocabularies, written.slice(0, start)) ? written.slice(start) : written
  const colon = written.indexOf(':')
  return isPrefix(written.slice(0, colon)) ? written.slice(colon + 1) : written
}
