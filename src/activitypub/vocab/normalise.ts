import { knownLanguage } from '../../lib/language'
import { isObject, type JsonObject, listOf } from './json'

const MAX_DEPTH = 16
const MAX_NODES = 20_000
const MAX_ITEMS = 5_000

/** Properties with one value: of a list the first counts. */
const single = new Set(
  (
    'published updated startTime endTime closed manuallyApprovesFollowers discoverable indexable ' +
    'memorial suspended sensitive width height duration blurhash mediaType publicKeyPem'
  ).split(' '),
)

const texts = new Set(['content', 'summary', 'name'])

/**
 * Rewrites the JSON-LD of a document that another server sent into the plain form that everything else here reads: bare names
 * of properties and types in place of full addresses and prefixes, `id` and `type`, values in place of value objects, flat
 * lists, a language for each text that has one.
 *
 * A document in that form, as nearly all are, is returned itself. Contexts are not fetched: prefixes are those that everybody
 * uses, or that the document defines for a known vocabulary. A bare name goes before others for the same property. Beyond
 * 16 levels and 20,000 objects and lists nothing is rewritten.
 */
export function normalise(document: unknown): unknown {
  return new Normaliser().value(unwrapped(document), { naming: plainNaming, language: null, depth: 0 })
}

/** The one document of an expanded form, which is a list, or of a graph. */
function unwrapped(document: unknown): unknown {
  const only = Array.isArray(document) && document.length === 1 ? document[0] : document
  if (!isObject(only) || !Array.isArray(only['@graph']) || only['@graph'].length !== 1) return only
  const { '@graph': graph, '@context': context, ...rest } = only
  const [node] = listOf(graph, 1)
  return isObject(node) && Object.keys(rest).length === 0 ? { '@context': context, ...node } : only
}

interface Scope {
  readonly naming: Naming
  readonly language: string | null
  readonly depth: number
}

class Normaliser {
  #left = MAX_NODES

  /** The value in plain form; itself where it has it. */
  value(value: unknown, scope: Scope): unknown {
    this.#left -= 1
    if (this.#left < 0 || scope.depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.#list(value, scope)
    if (!isObject(value)) return value
    if ('@value' in value) return value['@value']
    const items = value['@list'] ?? value['@set']
    if (items !== undefined) return this.#list(listOf(items, MAX_ITEMS), scope)
    return isReference(value) ? value['@id'] : this.#object(value, scope)
  }

  #list(list: readonly unknown[], scope: Scope): readonly unknown[] {
    const inner = { ...scope, depth: scope.depth + 1 }
    const items = list.slice(0, MAX_ITEMS).flatMap((item) => this.value(item, inner))
    return items.length === list.length && items.every((item, index) => item === list[index]) ? list : items
  }

  #object(object: JsonObject, around: Scope): JsonObject {
    const scope = scopeWithin(object, around)
    const [bare, renamed]: [string, unknown][][] = [[], []]
    let isChanged = false
    for (const key of Object.keys(object)) {
      const raw = object[key]
      const name = key === '@context' ? key : scope.naming(key)
      const value = key === '@context' ? raw : this.#property(name, raw, { scope, isRenamed: name !== key })
      isChanged ||= name !== key || value !== raw
      const entries = name === key ? bare : renamed
      entries?.push([name, value])
      const versions = texts.has(name) ? languagesOf(raw) : []
      if (versions.length > 0) renamed?.push([`${name}Map`, Object.fromEntries(versions)])
    }
    const spoken = contentLanguage(object, scope)
    if (!isChanged && spoken === null) return object
    // An entry of any name becomes a property; assignment would not do so for `__proto__`.
    const named: JsonObject = Object.fromEntries([...(renamed ?? []), ...(bare ?? [])])
    const { content } = named
    return spoken !== null && typeof content === 'string' && named['contentMap'] === undefined
      ? { ...named, contentMap: { [spoken]: content } }
      : named
  }

  #property(
    name: string,
    raw: unknown,
    { scope, isRenamed }: { readonly scope: Scope; readonly isRenamed: boolean },
  ): unknown {
    const isSimple = typeof raw !== 'object' || raw === null
    const value = isSimple ? raw : this.value(raw, { ...scope, depth: scope.depth + 1 })
    if (name === 'type') return namesOf(value, scope.naming)
    if (!Array.isArray(value)) return value
    if (single.has(name)) return value[0]
    const isExpanded = isRenamed || (Array.isArray(raw) && raw.some(isValueObject))
    return isExpanded && value.length === 1 ? value[0] : value
  }
}

function scopeWithin(object: JsonObject, around: Scope): Scope {
  const context = object['@context']
  if (context === undefined) return around
  const { naming, language } = namingIn(context, around.naming)
  return { ...around, naming, language: language === undefined ? around.language : language }
}

/** Bare names of types. */
function namesOf(types: unknown, naming: Naming): unknown {
  if (typeof types === 'string') return naming(types)
  if (!Array.isArray(types)) return types
  const names = types.map((type) => (typeof type === 'string' ? naming(type) : type))
  return names.every((name, index) => name === types[index]) ? types : names
}

function isReference(object: JsonObject): boolean {
  return typeof object['@id'] === 'string' && Object.keys(object).length === 1
}

function isValueObject(value: unknown): boolean {
  return isObject(value) && '@value' in value
}

/** Versions of a text by language, of value objects that name one. */
function languagesOf(raw: unknown): readonly [string, unknown][] {
  return listOf(raw, 100).flatMap((item): [string, unknown][] => {
    const language = isObject(item) ? item['@language'] : undefined
    return isObject(item) && typeof language === 'string' ? [[language, item['@value']]] : []
  })
}

/** Language of the content by the context, where the object does not name it itself. */
function contentLanguage(object: JsonObject, { language }: Scope): string | null {
  if (language === null || object['contentMap'] !== undefined) return null
  return typeof object['content'] === 'string' && knownLanguage(language) !== null ? language : null
}

/** Bare name of a property or type, whether written so, with a prefix, or as a full address. */
type Naming = (written: string) => string

const MAX_CONTEXTS = 20
const MAX_DEFINITIONS = 200

/** Vocabularies whose terms are read by their bare names, and their usual prefixes. */
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
const plainNaming: Naming = (written) => nameOf(written, (prefix) => usualPrefixes.has(prefix))

/** Naming and language that a context adds to those around it; `language` is undefined where it says nothing of one. */
function namingIn(
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
