import { sign } from '../../src/lib/secrets'
import type { Browser } from './browser'
import { context, fetchApp } from './test-app'

export const ownOrigin = 'https://fieldfare.test'

type Given = Readonly<Record<string, string | undefined>>

/** Cookies of a browser as a header. */
export function cookiesOf(browser: Browser): string {
  return [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** The CSRF token of the pages of a browser's session. */
export function csrfTokenOf(browser: Browser): Promise<string> {
  const [secret = ''] = (browser.jar.get('__Host-session') ?? '').split('.')
  return sign(context().config.secrets, 'csrf', secret)
}

/**
 * Calls the API as a script of a page of this server does. `headers` replace those that the browser and the script send;
 * undefined leaves one out.
 */
export async function callFromPage(
  browser: Browser,
  method: string,
  path: string,
  { body, headers = {} }: { readonly body?: FormData | object; readonly headers?: Given } = {},
) {
  const isRead = method === 'GET'
  const sent: Given = {
    cookie: cookiesOf(browser),
    'cf-connecting-ip': browser.ip,
    'sec-fetch-site': 'same-origin',
    origin: isRead ? undefined : ownOrigin,
    'x-csrf-token': isRead ? undefined : await csrfTokenOf(browser),
    'content-type': body === undefined || body instanceof FormData ? undefined : 'application/json',
    ...headers,
  }
  const given = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const request = new Request(ownOrigin + path, {
    method,
    headers: new Headers(given.map(([name, value]): [string, string] => [name, value])),
    body: body === undefined || body instanceof FormData ? (body ?? null) : JSON.stringify(body),
  })
  const { response, costs } = await fetchApp(request)
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: parsed, costs }
}
