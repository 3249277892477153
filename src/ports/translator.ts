import { knownLanguage, languages } from '../lib/language'

/** A translation request: pieces of HTML, in order. */
export interface TranslationOrder {
  readonly texts: readonly string[]
  /** A code of `lib/language`; null if unknown: the service then detects it. */
  readonly source: string | null
  readonly target: string
}

export interface Translated {
  /** Translations in the order of the input, as the service sent them: to be sanitised. */
  readonly texts: readonly string[]
  /** Source language detected by the service, as a code of `lib/language`. */
  readonly detected: string | null
}

/** Targets by source language, in codes of `lib/language`; `und` stands for a source that is unknown. */
export type TranslationPairs = Readonly<Record<string, readonly string[]>>

/**
 * A translation service. Every failure is `Unavailable`; error messages contain neither its input nor its keys.
 */
export interface Translator {
  /** Name of the service in API responses. */
  readonly name: string
  /** Identifies the service in cache keys. */
  readonly id: string
  pairs(): Promise<TranslationPairs>
  translate(order: TranslationOrder): Promise<Translated>
}

/** Code of an unknown source language. */
export const undetermined = 'und'

const special: Readonly<Record<string, string>> = { 'zh-hans': 'zh-CN', 'zh-hant': 'zh-TW', zt: 'zh-TW' }

/** Maps a service's language code to ours; null for languages that statuses do not use. */
export function ourCode(serviceCode: string): string | null {
  return special[serviceCode.toLowerCase()] ?? knownLanguage(serviceCode)
}

/**
 * Maps our codes to a service's. Of several forms of a language its plain one counts, else the first listed;
 * Chinese without a script is the form most read.
 */
export function theirCodes(all: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const serviceCode of all) {
    const code = ourCode(serviceCode)
    if (code !== null && (!found.has(code) || serviceCode.toLowerCase() === code.toLowerCase()))
      found.set(code, serviceCode)
  }
  const simplified = found.get('zh-CN')
  if (simplified !== undefined && !found.has('zh')) found.set('zh', simplified)
  return found
}

/** Pairs every source with every target but itself. */
export function allPairs(
  sources: Iterable<string>,
  targets: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const pairs = [...sources].map((source) => [source, targets.filter((target) => target !== source)] as const)
  return Object.fromEntries(pairs)
}

/** Supported codes, so that a service with codes of its own cannot name others. */
export const ourCodes: readonly string[] = languages.map(({ code }) => code)
