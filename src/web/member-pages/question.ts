import type { Child } from 'hono/jsx'
import type { TextKey } from '../../lib/translate'
import type { PageTranslate } from '../i18n/context'

/** Texts of the question before an action. */
export interface Question {
  readonly title: string
  /** Sentences about its effects, and whether they can be undone. */
  readonly effects: readonly Child[]
  /** Numbers of affected objects, by name. */
  readonly facts?: readonly (readonly [name: string, value: Child])[]
  /** Verb on the button that does it. */
  readonly button: string
}

/** A question in the language of the reader. */
export type QuestionWords = (t: PageTranslate) => Question

/** Question whose words are the same for each entry of a list. */
export function fixedQuestion(button: TextKey, effect: TextKey): () => Promise<QuestionWords> {
  return async () => (t) => ({ title: t(button), effects: [t(effect)], button: t(button) })
}
