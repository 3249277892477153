import * as z from 'zod'
import { type Form, readForms, readText } from '../../support/forms'
import type { Instance, Person } from './instance'

interface Page {
  readonly url: URL
  readonly status: number
  readonly text: string
  readonly forms: readonly Form[]
}

/** Password of everybody who visits pages. */
export const password = 'seed and worm and a hedge'

/** A browser without a screen, signed in as one person. */
export class Visitor {
  readonly #instance: Instance
  readonly #cookies = new Map<string, string>()

  private constructor(instance: Instance) {
    this.#instance = instance
  }

  /** Signs somebody in: their password is chosen anew, through a link as the operator hands it out. */
  static async of(person: Person): Promise<Visitor> {
    const visitor = new Visitor(person.instance)
    const answer = await person.instance.setup(`/api/fieldfare/v1/admin/accounts/${person.id}/reset_link`, {})
    const { url } = z.object({ url: z.string() }).parse(answer)
    await visitor.fill(url, '/auth/password/edit', { password, password_confirmation: password })
    await visitor.fill('/auth/sign_in', '/auth/sign_in', { username: person.username, password })
    return visitor
  }

  /** Cookies of the server, for a browser that goes on as this person. */
  cookies() {
    return [...this.#cookies].map(([name, value]) => ({ name, value, url: this.#instance.origin }))
  }

  /** Opens a page, fills in its form to `action` and sends it; `password` may be left to the visitor. */
  async fill(
    address: string,
    action: string,
    values: Readonly<Record<string, string | Blob>>,
  ): Promise<Page> {
    const page = await this.#go(new URL(address, this.#instance.origin))
    const form = page.forms.find((one) => new URL(one.action, page.url).pathname === action)
    if (form === undefined) throw new Error(`No form to ${action} on ${page.url}: ${page.text}`)
    const fields = new FormData()
    for (const [name, value] of form.fields) fields.append(name, value)
    for (const [name, value] of Object.entries(values)) fields.set(name, value)
    if (fields.has('current_password')) fields.set('current_password', password)
    const after = await this.#go(new URL(form.action, page.url), fields)
    if (after.status !== 200) throw new Error(`${action} answered ${after.status}: ${after.text}`)
    return after
  }

  /** Downloads a file of text. */
  async download(address: string): Promise<string> {
    const answer = await this.#instance.fetch(new URL(address, this.#instance.origin).href, {
      headers: { cookie: this.#cookieHeader() },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}: ${text}`)
    return text
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async #go(url: URL, body?: FormData): Promise<Page> {
    const { origin } = this.#instance
    const answer = await this.#instance.fetch(url.href, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'text/html',
        cookie: this.#cookieHeader(),
        ...(body === undefined ? {} : { origin }),
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', ...value] = (line.split(';')[0] ?? '').split('=')
      this.#cookies.set(name, value.join('='))
    }
    const html = await answer.text()
    const next = answer.headers.get('location')
    if (next !== null) return this.#go(new URL(next, url))
    return { url, status: answer.status, text: readText(html), forms: readForms(html) }
  }
}

/** Body as browsers send it: in parts where the form has a file. */
function bodyOf(fields: FormData): FormData | URLSearchParams {
  const texts = [...fields].filter((field): field is [string, string] => typeof field[1] === 'string')
  return texts.length === [...fields].length ? new URLSearchParams(texts) : fields
}
