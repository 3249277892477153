import type { Overrides } from '../../src/wire'
import type { Costs } from './costs'
import { freshIp } from './oauth'
import { fetchApp } from './test-app'

const origin = 'https://fieldfare.test'

export interface Page {
  readonly status: number
  readonly html: string
  readonly headers: Headers
  readonly costs: Costs
  /** Target of a redirect: path and query on this server, the whole address on others. */
  readonly location: string | null
  /** The set-cookie headers. */
  readonly cookies: readonly string[]
}

type Fields = Readonly<Record<string, string>>

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  readonly overrides?: Overrides
  /** Time zone that Cloudflare locates the browser in. */
  readonly timeZone?: string
}

/** A browser with a cookie jar, at an address of its own. Sends no Origin unless a test says so. */
export class Browser {
  readonly #jar = new Map<string, string>()
  readonly #ip = freshIp()
  readonly #overrides: Overrides

  constructor(overrides: Overrides = {}) {
    this.#overrides = overrides
  }

  get ip(): string {
    return this.#ip
  }

  get jar(): ReadonlyMap<string, string> {
    return this.#jar
  }

  plant(name: string, value: string): void {
    this.#jar.set(name, value)
  }

  get(path: string, options: Options = {}): Promise<Page> {
    return this.#send('GET', path, null, options)
  }

  /** Sends a form with exactly these fields. */
  post(path: string, fields: Fields, options: Options = {}): Promise<Page> {
    return this.#send('POST', path, new URLSearchParams(fields), options)
  }

  delete(path: string, fields: Fields, options: Options = {}): Promise<Page> {
    return this.#send('DELETE', path, new URLSearchParams(fields), options)
  }

  /** Opens the page of a form and sends it with its hidden fields, as people do. */
  async fill(
    path: string,
    fields: Fields,
    options: Options & { readonly action?: string } = {},
  ): Promise<Page> {
    const page = await this.get(path, options)
    const action = options.action ?? path.split('?')[0] ?? path
    const headers = { origin, ...options.headers }
    return this.post(action, { ...hiddenFields(page.html, action), ...fields }, { ...options, headers })
  }

  /** `fill` of a form that a page asks about first, and the answer that does it. */
  async confirm(
    path: string,
    fields: Fields,
    options: Options & { readonly action?: string } = {},
  ): Promise<Page> {
    const question = await this.fill(path, fields, options)
    const action = options.action ?? path.split('?')[0] ?? path
    if (!question.html.includes('name="confirmed"'))
      throw new Error(`${action} asks nothing, but answers ${question.status}`)
    return this.post(action, { ...hiddenFields(question.html, action), confirmed: 'true' }, options)
  }

  /** Submits a form that sends files. */
  async upload(
    path: string,
    fields: Readonly<Record<string, string | File>>,
    { action = path }: { readonly action?: string } = {},
  ): Promise<Page> {
    const page = await this.get(path)
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...hiddenFields(page.html, action), ...fields }))
      body.append(name, value)
    return this.#send('POST', action, body, { headers: { origin } })
  }

  /** Sends a body as a share sheet or another site does, without a page of ours before it. */
  send(path: string, body: FormData, options: Options = {}): Promise<Page> {
    return this.#send('POST', path, body, options)
  }

  async signIn(username: string, password: string, returnTo?: string): Promise<Page> {
    const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`
    return this.fill(`/auth/sign_in${query}`, { username, password })
  }

  async #send(method: string, path: string, body: BodyInit | null, options: Options): Promise<Page> {
    const headers = new Headers({ accept: 'text/html', 'cf-connecting-ip': this.#ip, ...options.headers })
    if (this.#jar.size > 0)
      headers.set('cookie', [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const cf = options.timeZone === undefined ? {} : { cf: { timezone: options.timeZone } }
    const request = new Request(`${origin}${path}`, { method, headers, body, redirect: 'manual', ...cf })
    const { response, costs } = await fetchApp(request, { ...this.#overrides, ...options.overrides })
    const cookies = response.headers.getSetCookie()
    for (const cookie of cookies) this.#keep(cookie)
    const location = response.headers.get('location')
    return {
      status: response.status,
      html: await response.text(),
      headers: response.headers,
      costs,
      cookies,
      location: location?.startsWith(origin) === true ? location.slice(origin.length) : location,
    }
  }

  #keep(cookie: string): void {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
    if (value === '' || /max-age=0/i.test(cookie)) this.#jar.delete(name)
    else this.#jar.set(name, value)
  }
}

/** The hidden fields of the form with this action, as a browser would send them. */
export function hiddenFields(html: string, action: string): Fields {
  const form = html.split('<form').find((part) => part.includes(`action="${escaped(action)}"`)) ?? ''
  const inputs = (form.split('</form>')[0] ?? '').matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  )
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** The hidden fields of every form of a page with this action. */
export function formsOf(html: string, action: string): readonly Fields[] {
  const [, ...forms] = html.split('<form')
  return forms
    .filter((form) => form.includes(`action="${escaped(action)}"`))
    .map((form) => hiddenFields(`<form${form}`, action))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** The text of a page as people read it. */
export function textOf(html: string): string {
  return unescaped(html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '))
}
