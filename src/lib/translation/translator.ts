/** What to translate: pieces of HTML, in order. */
export interface TranslationOrder {
  readonly texts: readonly string[]
  /** A code of `lib/language`; null when nobody knows: the service then finds out. */
  readonly source: string | null
  readonly target: string
}

export interface Translated {
  /** As many as were sent, as the service sent them: to be sanitised. */
  readonly texts: readonly string[]
  /** What the service took the source for, as a code of `lib/language`. */
  readonly detected: string | null
}

/** What can be translated into what, in codes of `lib/language`; `und` stands for a source that is unknown. */
export type TranslationPairs = Readonly<Record<string, readonly string[]>>

/** A translation service. All its troubles are `Unavailable`; what it was sent and its keys are in no message. */
export interface Translator {
  /** How the service is called in answers. */
  readonly name: string
  /** Tells services apart where their answers are kept. */
  readonly id: string
  pairs(): Promise<TranslationPairs>
  translate(order: TranslationOrder): Promise<Translated>
}

/** Source languages that are unknown. */
export const undetermined = 'und'
