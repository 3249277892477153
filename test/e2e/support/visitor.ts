import { newAddress } from './address'
import { type Form, readForms, readText } from './forms'
import { origin as sharedOrigin } from './people'

/** A page as the visitor sees it. A `url` of another origin means a redirect to another site. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly text: string
  readonly forms: readonly Form[]
}

/** A browser without a screen: keeps cookies, follows redirects, fills in forms. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly address = newAddress()
  readonly #origin: string

  constructor(origin = sharedOrigin) {
    this.#origin = origin
  }

  /** Opens a page and follows redirects as long as they stay on this server. */
  open(address: string): Promise<Page> {
    return this.#go(new URL(address, this.#origin), { method: 'GET' })
  }

  /** Sends the form of `page` that goes to `action`; `values` stand over what the page filled in. */
  submit(page: Page, action: string, values: Readonly<Record<string, string>>): Promise<Page> {
    const form = formTo(page, action)
    const fields = new URLSearchParams([...form.fields])
    for (const [name, value] of Object.entries(values)) fields.set(name, value)
    return this.#go(new URL(form.action, page.url), { method: 'POST', body: fields, from: page.url })
  }

  async #go(url: URL, { method, body, from }: Step): Promise<Page> {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        'CF-Connecting-IP': this.address,
        Accept: 'text/html',
        'Sec-Fetch-Site': from === undefined ? 'none' : 'same-origin',
        ...(from === undefined ? {} : { Referer: from.href }),
        ...(method === 'POST' ? { Origin: this.#origin } : {}),
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const html = await response.text()
    const location = response.headers.get('location')
    if (location === null) return pageOf(url, response, html)
    const next = new URL(location, url)
    if (next.origin !== this.#origin) return pageOf(next, response, '')
    return this.#go(next, { method: 'GET', from: url })
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const [name = '', ...value] = pair.split('=')
    const isGone = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, value.join('='))
  }
}

interface Step {
  readonly method: 'GET' | 'POST'
  readonly body?: URLSearchParams
  readonly from?: URL
}

function pageOf(url: URL, { status, headers }: Response, html: string): Page {
  return { url, status, headers, html, text: readText(html), forms: readForms(html) }
}

/** The form that goes to `action`; fails with what the page says instead. */
export function formTo(page: Page, action: string): Form {
  const form = page.forms.find((one) => new URL(one.action, page.url).pathname === action)
  if (form !== undefined) return form
  throw new Error(`No form to ${action} on ${page.url.pathname} (${page.status}): ${page.text}`)
}
