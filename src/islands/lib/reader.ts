import { type ApiAnswer, type ApiCall, callApi } from './api'
import { clientRoot, wordsIn } from './page'
import { Toasts } from './toast'

const words = [
  'undo',
  'boosted',
  'deleted',
  'deletedByAuthor',
  'failed',
  'offline',
  'gone',
  'forbidden',
  'tooMany',
  'tooLarge',
  'signedOut',
  'newPosts',
  'restored',
  'copied',
  'charactersLeft',
  'suggestions',
  'sending',
  'sent',
  'otherAccount',
  'reload',
] as const
export type Word = (typeof words)[number]

/** Parts that the scripts of a member's page share: the words, the toasts, and calls of the API as this member. */
export interface Reader {
  readonly word: (name: Word) => string
  readonly toasts: Toasts
  /** Calls the API. Says why where it fails, and returns null. */
  readonly call: (path: `/api/${string}`, call?: ApiCall) => Promise<ApiAnswer | null>
  readonly csrfToken: string
  /** Language of the page, as browsers name it. */
  readonly language: string
  /** A number as people of that language write it. */
  readonly number: (value: number) => string
}

/** The reader of the page; null on pages of visitors. */
export function readerOf(page: Document): Reader | null {
  const root = clientRoot(page)
  if (root === null) return null
  const word = wordsIn(root.dataset, words)
  const toasts = new Toasts(root)
  const csrfToken = root.dataset['client'] ?? ''
  const language = page.documentElement.lang
  const format = new Intl.NumberFormat(language)
  return {
    word,
    toasts,
    csrfToken,
    language,
    number: (value) => format.format(value),
    call: async (path, call) => {
      const answer = await callApi(csrfToken, path, call)
      if (answer !== null && answer.status < 400) return answer
      toasts.show({ text: word(answer === null ? 'offline' : reasonOf(answer.status)) })
      return null
    },
  }
}

/** The sentence for a status of an answer that refuses. */
export function reasonOf(status: number): Word {
  if (status === 401) return 'signedOut'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'gone'
  if (status === 409) return 'otherAccount'
  if (status === 413) return 'tooLarge'
  return status === 429 ? 'tooMany' : 'failed'
}
