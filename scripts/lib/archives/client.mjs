// Calls of an import: as a member, patient where the server asks for patience.
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptedTypes, refusalIn } from '../command-line/problems.mjs'
import { Problem } from '../problem.mjs'

/** Tries of a call that the server does not answer, or answers with a failure of its own. */
const tries = 6
const longestWait = 300_000

/**
 * Calls the API of `origin` with a token: `call(method, path, body)` answers the parsed body. Waits where a limit is
 * reached or the server is busy, and throws `Refused` for what a repetition would not help, or the reason of `signal`.
 */
export function clientOf(origin, token, { timeout = 120_000, wait = sleep, signal = null } = {}) {
  const stopped = signal === null ? [] : [signal]
  const call = async (method, path, body = null) => {
    for (let failures = 0; ; ) {
      signal?.throwIfAborted()
      const response = await send(method, path, body)
      if (response !== null && response.status !== 429 && response.status < 500) return readAnswer(response)
      // A rate limit is no failure: it can delay a call for longer than all attempts.
      if (response?.status !== 429) failures += 1
      if (failures === tries) throw unanswered(origin, response)
      await wait(waitOf(response, failures), null, { signal: AbortSignal.any(stopped) }).catch(() => null)
    }
  }
  const send = async (method, path, body) => {
    const isForm = body instanceof FormData
    try {
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...stopped]),
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: acceptedTypes,
          ...(body === null || isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === null ? {} : { body: isForm ? body : JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    } catch {
      // No response, or one that is not JSON: both are retried.
      return null
    }
  }
  const readAnswer = ({ status, body }) => {
    if (status < 300) return body
    throw refusalIn(origin, status, body)
  }
  return { call }
}

function unanswered(origin, response) {
  const what = response === null ? 'does not answer' : `fails (${response.status})`
  return new Problem(`${origin} ${what}. Run the same command again: it goes on where it stopped.`)
}

/** Milliseconds until the next try. */
function waitOf(response, failures) {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN)
  const reset = Date.parse(response?.headers.get('x-ratelimit-reset') ?? '')
  if (response?.status === 429 && Number.isFinite(seconds))
    return Math.min(longestWait, (seconds + 1) * 1_000)
  if (response?.status === 429 && Number.isFinite(reset))
    return Math.min(longestWait, Math.max(1_000, reset - Date.now()))
  return 250 * 2 ** failures
}
