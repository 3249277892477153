import type { DatabaseSync } from 'node:sqlite'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import * as z from 'zod'
import { setup } from '../../../scripts/lib/server.mjs'
import { hangLimit } from '../../support/hang-limit'
import { newAddress } from './address'
import { closeWindows, openBrowser } from './browser'
import { writeDatabase } from './database'
import {
  type ApiPath,
  type Caller,
  type Evidence,
  type Inbox,
  sendWithEffect,
  sendWithoutEffect,
} from './effect'
import { type Instance, startInstance } from './instance'
import { isPreview, routeOf } from './panel-flows'
import { Visitor } from './visitor'

const redirectUri = 'urn:ietf:wg:oauth:2.0:oob'
const scopes = 'read write follow push admin:read admin:write'
const App = z.object({ client_id: z.string(), client_secret: z.string() })
const Token = z.object({ access_token: z.string() })
const Made = z.object({ id: z.string(), token: z.string() })

export type Json = Readonly<Record<string, unknown>>

/** Place where a form of the panel shows its effect: the API, as its owner or as somebody else, or another server. */
export type Effect = ApiPath | readonly [Caller, ApiPath] | readonly [Inbox, string]

interface Press {
  readonly name: string
  readonly button: Locator
  readonly effect: Effect
}

/** The panel of an instance of its own, clicked through by its owner in a browser. */
export class Panel {
  readonly page: Page
  readonly instance: Instance
  /** Pages of administration that were opened, and forms whose effect was seen outside of the panel. */
  readonly used = new Set<string>()
  readonly complaints: string[] = []
  readonly #browser: Browser
  readonly #context: BrowserContext
  readonly #token: string
  #isRefusalExpected = false
  /** Route of the form that was sent last. */
  #sent: string | undefined

  private constructor(order: {
    readonly browser: Browser
    readonly context: BrowserContext
    readonly page: Page
    readonly instance: Instance
    readonly token: string
  }) {
    this.#browser = order.browser
    this.#context = order.context
    this.page = order.page
    this.instance = order.instance
    this.#token = order.token
    this.page.on('console', (message) => {
      if (message.type() === 'error' && !this.#isRefusalExpected)
        this.complaints.push(`${this.page.url()}: ${message.text()}`)
    })
    this.page.on('pageerror', (failure) => this.complaints.push(failure.message))
    this.page.on('response', (response) => {
      const request = response.request()
      if (!request.isNavigationRequest()) return
      const route = routeOf(request.method(), response.url())
      if (route === undefined || response.status() >= 400) return
      if (request.method() === 'GET') this.used.add(route)
      else this.#sent = route
    })
  }

  static async open(variables: Readonly<Record<string, string>> = {}, settings: object = {}): Promise<Panel> {
    const [browser, instance] = await Promise.all([
      openBrowser(),
      startInstance({ title: 'The Hedge', ...settings }, variables),
    ])
    const visitor = new Visitor(instance.origin)
    const signIn = await visitor.open('/auth/sign_in')
    await visitor.submit(signIn, '/auth/sign_in', instance.owner)
    const token = await adminToken(instance, visitor)
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
      extraHTTPHeaders: { 'CF-Connecting-IP': newAddress() },
    })
    context.setDefaultTimeout(hangLimit.timeout)
    await context.addCookies(
      [...visitor.cookies].map(([name, value]) => ({ name, value, url: instance.origin })),
    )
    return new Panel({ browser, context, page: await context.newPage(), instance, token })
  }

  async close(): Promise<void> {
    await closeWindows()
    await this.instance.close()
  }

  async go(path: string): Promise<void> {
    const response = await this.page.goto(this.instance.origin + path)
    expect([path, response?.status()]).toEqual([path, 200])
  }

  /** Opens a page of the same session without JavaScript. The caller closes its context. */
  async openWithoutScripts(path: string): Promise<Page> {
    const context = await this.#browser.newContext({ javaScriptEnabled: false })
    await context.addCookies(await this.#context.cookies())
    const page = await context.newPage()
    await page.goto(this.instance.origin + path)
    return page
  }

  /** Entry of a list that shows `text`. */
  entry(text: string): Locator {
    return this.page.locator('main :is(li, tbody tr)').filter({ hasText: text }).last()
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  /** Opens what is folded under `summary`, unless it is open. */
  async unfold(summary: string): Promise<Locator> {
    const folded = this.page.locator('main details').filter({
      has: this.page.locator('summary', { hasText: summary }),
    })
    const one = folded.first()
    if ((await one.getAttribute('open')) === null) await one.locator('summary').first().click()
    return one
  }

  /**
   * Presses a button, within a part of the page where several have its name. What `effect` reads has to change by it.
   * Returns the notice it leads to.
   */
  async press(name: string, effect: Effect, within: Locator | Page = this.page): Promise<string> {
    return this.#change({ name, effect, button: await this.#button(name, within) })
  }

  /** Presses a button that only shows something: what `effect` reads has to stay as it is. */
  async preview(name: string, effect: Effect, within: Locator | Page = this.page): Promise<void> {
    const button = await this.#button(name, within)
    await sendWithoutEffect({ name, evidence: this.#evidence(effect), send: () => this.#submit(button) })
    const route = this.#sent ?? ''
    expect([name, route, isPreview(route)]).toEqual([name, route, true])
    this.used.add(route)
  }

  async #button(name: string, within: Locator | Page): Promise<Locator> {
    const buttons = within.getByRole('button', { name, exact: true })
    const button = (await buttons.count()) > 0 ? buttons : within.getByRole('button', { name })
    return button.first()
  }

  /** Asks for an act that is confirmed: a page says what happens, changes nothing by that, and is answered. */
  async confirm(label: string, effect: Effect, within: Locator | Page = this.page): Promise<string> {
    // The name of the thing may hold the label of another button.
    const opener = within.getByRole('button', { name: new RegExp(`^${label}`) }).first()
    const send = () => this.#submit(opener)
    await sendWithoutEffect({ name: label, evidence: this.#evidence(effect), send })
    const question = this.page.locator('main section').filter({ has: this.page.locator('[name=confirmed]') })
    const foretold = (await question.locator('p').allInnerTexts()).join(' ')
    expect(foretold.length, `what ${label} says that it does`).toBeGreaterThan(15)
    return this.#change({ name: label, effect, button: question.locator('button[value=true]') })
  }

  /** Presses a button whose form is refused, and shown again. */
  async refused(name: string, within: Locator | Page = this.page): Promise<void> {
    this.#isRefusalExpected = true
    const [response] = await Promise.all([
      this.page.waitForResponse((one) => one.request().method() === 'POST'),
      this.page.waitForEvent('load'),
      within.getByRole('button', { name }).first().click(),
    ])
    expect(response.status()).toBe(422)
    await this.page.locator('.note.danger').waitFor()
    this.#isRefusalExpected = false
  }

  async #change({ name, button, effect }: Press): Promise<string> {
    const send = () => this.#submit(button)
    const notice = await sendWithEffect({ name, evidence: this.#evidence(effect), send })
    const route = this.#sent
    if (route === undefined || isPreview(route))
      throw new Error(`“${name}” sent no form that changes anything`)
    this.used.add(route)
    return notice
  }

  #evidence(effect: Effect): Evidence {
    if (typeof effect !== 'string') return effect
    const { origin, setupToken } = this.instance
    return [{ origin, token: effect.startsWith('/setup/') ? setupToken : this.#token }, effect]
  }

  async #submit(button: Locator): Promise<string> {
    this.#sent = undefined
    const [response] = await Promise.all([
      this.page.waitForResponse((one) => one.request().isNavigationRequest() && one.status() !== 303),
      this.page.waitForEvent('load'),
      button.click(),
    ])
    const text = await this.page.locator('main').innerText()
    expect(response.status(), `${response.url()}: ${text}`).toBeLessThan(400)
    const notice = this.page.locator('.note.success p')
    return (await notice.count()) === 0 ? '' : notice.first().innerText()
  }

  /** Calls the API as the owner's app. */
  async api<S extends z.ZodType>(
    method: string,
    path: string,
    schema: S,
    body?: object,
  ): Promise<z.output<S>> {
    const response = await fetch(this.instance.origin + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return schema.parse(JSON.parse(text))
  }

  /** Entities of a list of the API. */
  list(path: string): Promise<Json[]> {
    return this.api('GET', path, z.array(z.record(z.string(), z.unknown())))
  }

  one(path: string): Promise<Json> {
    return this.api('GET', path, z.record(z.string(), z.unknown()))
  }

  async operate(method: string, path: string, body: object): Promise<unknown> {
    const { origin, setupToken } = this.instance
    const answer = await setup({ origin, secrets: { SETUP_TOKEN: setupToken } }, method, path, body)
    if (answer.status !== 200)
      throw new Error(`/setup/${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Writes what only time or other servers bring about into the database. `id` is free, and later than others. */
  write(change: (database: DatabaseSync, id: number) => void): void {
    writeDatabase(this.instance, change)
  }

  /** A member, and calls of the API in their name. */
  async member(username: string) {
    const { id, token } = Made.parse(await this.operate('POST', 'account', { username }))
    const call = async (method: string, path: string, body?: object): Promise<unknown> => {
      const response = await fetch(this.instance.origin + path, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    }
    return { id, username, call, token, origin: this.instance.origin }
  }
}

async function adminToken(instance: Instance, visitor: Visitor): Promise<string> {
  const post = async <S extends z.ZodType>(path: string, body: object, schema: S) => {
    const response = await fetch(instance.origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return schema.parse(await response.json())
  }
  const app = await post('/api/v1/apps', { client_name: 'Desk', redirect_uris: redirectUri, scopes }, App)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: redirectUri,
    scope: scopes,
  })
  const consent = await visitor.open(`/oauth/authorize?${query}`)
  const after = await visitor.submit(consent, '/oauth/authorize', { decision: 'authorize' })
  const code = after.url.searchParams.get('code') ?? /value="([\w-]{20,})"/.exec(after.html)?.[1] ?? ''
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...app }
  return (await post('/oauth/token', grant, Token)).access_token
}
