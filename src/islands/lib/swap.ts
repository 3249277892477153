import { reach } from './api'
import { pageToken } from './page'
import { type Reader, reasonOf } from './reader'

export interface FetchedPage {
  readonly status: number
  readonly page: Document
  /** Address that the answer led to; null where it came from the one that was asked. */
  readonly redirectedTo: string | null
}

export function parsePage(text: string): Document {
  return new DOMParser().parseFromString(text, 'text/html')
}

/**
 * Fetches a page of this server. Null where it cannot be reached. By the token of this page it names the account that asks: where
 * another one is active by now, its page is refused.
 */
export async function fetchPage(path: string, init: RequestInit = {}): Promise<FetchedPage | null> {
  const token = pageToken()
  const headers = { Accept: 'text/html', ...(token === '' ? {} : { 'X-CSRF-Token': token }) }
  const answer = await reach(path, { ...init, headers })
  if (answer === null) return null
  const { status, redirected, url } = answer
  return { status, page: parsePage(await answer.text()), redirectedTo: redirected ? url : null }
}

const signInPath = '/auth/sign_in'

/**
 * Address of the sign-in where a form was not carried out because its session has ended, or its page belongs to an earlier one: null
 * for any other answer. It leads back to `opens`, which shows what the device keeps.
 */
export function signInAfter({ page, redirectedTo }: FetchedPage, opens: string): string | null {
  if (URL.parse(redirectedTo ?? '')?.pathname === signInPath) return redirectedTo
  if (page.querySelector('[data-unsent]') === null) return null
  return `${signInPath}?${new URLSearchParams({ return_to: opens })}`
}

/**
 * Sends the forms inside of posts (votes, reactions) in the background, and puts what became of them in their place. The
 * answer is the page of the one post, so that little is rendered again.
 */
export function swapForms(reader: Reader): void {
  document.addEventListener('submit', async (event) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement)) return
    const { swap, post } = form.dataset
    if (swap === undefined || post === undefined) return
    event.preventDefault()
    const data = new FormData(form, submitter)
    data.set('return_to', `/posts/${post}`)
    const fields = [...data].map(([name, value]): [string, string] => [name, String(value)])
    const sent = await fetchPage(form.action, { method: 'POST', body: new URLSearchParams(fields) })
    const part = sent?.page.querySelector(`.post ${swap}`)
    if (part instanceof HTMLElement && sent !== null && sent.status < 400) {
      form.replaceWith(part)
      part.querySelector<HTMLElement>('button:not([disabled])')?.focus()
      return
    }
    const reason = sent === null ? 'offline' : sent.status < 400 ? 'signedOut' : reasonOf(sent.status)
    reader.toasts.show({ text: reader.word(reason) })
  })
}
