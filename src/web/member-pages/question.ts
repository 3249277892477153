import type { Child } from 'hono/jsx'
import type { TextKey } from '../../lib/translate'
import type { PageTranslate } from '../i18n/context'

/** An act in words, as the page shows it that asks before it happens. */
export interface Question {
  readonly title: string
  /** Sentences about what it changes, and whether that can be undone. */
  readonly effects: readonly Child[]
  /** Numbers of what it touches, by their names. */
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
