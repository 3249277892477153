/** Answer of the API: status, and the body as JSON; null if missing. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: FormData | Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The call outlives the page that makes it. */
  readonly keepalive?: boolean
}

/**
 * Calls the API with the session of the browser. Writes prove by the CSRF token of the page that it makes them
 * (`src/browser-sessions.ts`); reads carry it for browsers that do not say which site asks.
 *
 * Returns every answer, whatever its status; null where the server cannot be reached.
 */
export async function callApi(
  csrfToken: string,
  path: `/api/${string}`,
  call: ApiCall = {},
): Promise<ApiAnswer | null> {
  const { method = 'GET', body, signal, keepalive = false } = call
  const isForm = body === undefined || body instanceof FormData
  const answer = await reach(path, {
    method,
    keepalive,
    headers: {
      Accept: 'application/json',
      'X-CSRF-Token': csrfToken,
      ...(isForm ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (answer === null) return null
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : null
  return { status: answer.status, body: parsed }
}

/** Fetches from this server with the session of the browser; null where it cannot be reached. */
export async function reach(path: string, init: RequestInit): Promise<Response | null> {
  try {
    // Same origin alone: another one must not get the token.
    return await fetch(path, { credentials: 'same-origin', ...init, mode: 'same-origin' })
  } catch (failure) {
    if (failure instanceof TypeError) return null
    throw failure
  }
}

/** The text that an address of another origin answers everybody with; null for a failure, and where none answers. */
export async function readPublicly(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { credentials: 'omit', cache: 'no-store' })
    return answer.ok ? await answer.text() : null
  } catch (failure) {
    if (failure instanceof TypeError) return null
    throw failure
  }
}

/** The answer of the network to a request of the browser, which a service worker passes on as it is. */
export function passOn(request: Request): Promise<Response> {
  return fetch(request)
}
