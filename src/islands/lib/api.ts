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
}

/**
 * Calls the API with the session of the browser. Writes prove by the CSRF token of the page that it makes them
 * (`src/browser-sessions.ts`); reads carry it for browsers that do not say which site asks.
 *
 * Never throws for an answer, whatever its status; rejects where there is none.
 */
export async function callApi(
  csrfToken: string,
  path: `/api/${string}`,
  call: ApiCall = {},
): Promise<ApiAnswer> {
  const { method = 'GET', body, signal } = call
  const isForm = body === undefined || body instanceof FormData
  const answer = await fetch(path, {
    method,
    // Same origin alone: another one must not get the token.
    mode: 'same-origin',
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-CSRF-Token': csrfToken,
      ...(isForm ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : null
  return { status: answer.status, body: parsed }
}
