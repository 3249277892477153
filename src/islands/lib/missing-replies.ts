import { callApi } from './api'
import type { Reader } from './reader'

/** Milliseconds between two questions, and questions before the page stops to ask. */
const pause = 3_000
const mostAsked = 20

/** Says what was found once the server has fetched replies from other servers. */
export function followReplies({ csrfToken }: Reader): void {
  const line = document.querySelector('[data-refresh]')
  if (!(line instanceof HTMLElement)) return
  const { refresh = '', found = '', none = '' } = line.dataset
  let asked = 0
  const ask = async () => {
    asked += 1
    const answer = await callApi(csrfToken, `/api/v1_alpha/async_refreshes/${encodeURIComponent(refresh)}`)
    const count = answer === null ? null : finishedCount(answer.body)
    if (count === null) {
      if (asked < mostAsked) setTimeout(() => void ask(), pause)
      return
    }
    line.querySelector('.spin')?.remove()
    const words = line.querySelector('.said')
    if (words !== null) words.textContent = count > 0 ? found : none
    if (count === 0) line.querySelector('a')?.remove()
  }
  setTimeout(() => void ask(), pause)
}

/** Replies that a finished refresh found; null while it runs. */
export function finishedCount(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('async_refresh' in body)) return null
  const { async_refresh: refresh } = body
  if (typeof refresh !== 'object' || refresh === null || !('status' in refresh)) return null
  if (refresh.status !== 'finished') return null
  return 'result_count' in refresh ? Number(refresh.result_count ?? 0) : 0
}
