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
