import type { mastodon } from 'masto'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import * as z from 'zod'
import { hangLimit } from '../../../support/hang-limit'
import { press, type Windows } from '../../support/browser'
import type { ClientSite } from '../../support/client-site'
import { type Reading, sendWithEffect } from '../../support/effect'
import { mastoOf } from '../../support/masto'
import { operate } from '../../support/operator'
import { origin, type Person } from '../../support/people'
import { type Member, signInTo, signUp } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'

/** A member who is signed in with a browser, and with an app that shows the effect. */
export interface Setting {
  readonly browser: Browser
  readonly site: ClientSite
  readonly context: BrowserContext
  readonly page: Page
  readonly member: Member
  readonly person: Person
  readonly client: mastodon.rest.Client
}

/** Clicks through the forms of one page. */
export type Flow = (setting: Setting) => Promise<void>

const Made = z.object({ id: z.string(), token: z.string() })

/** Paths that forms were sent to whose effect was seen outside of their page. */
export const effectiveForms = new Set<string>()

/** Tab that goes from flow to flow, as one that has shown a page opens others with half the CPU time. */
export interface Stage extends Pick<Setting, 'browser' | 'site' | 'page'> {
  readonly windows: Windows
}

/** Runs a flow on its page as a member nobody else uses; whatever the browser complains about fails it. */
export async function runFlow({ windows, ...place }: Stage, path: string, flow: Flow): Promise<void> {
  const { context, complaints } = windows
  const before = complaints.length
  const visitor = new Visitor()
  const member = await signUp(visitor)
  const { username } = member
  const { id, token } = Made.parse(await operate('POST', 'account', { username }))
  const person = { id, username, acct: `@${username}`, token }
  const client = mastoOf(person)
  await context.clearCookies()
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: origin })))
  await context.setExtraHTTPHeaders({ 'CF-Connecting-IP': visitor.address })
  await place.page.goto(origin + path)
  expect(new URL(place.page.url()).pathname).toBe(path)
  await flow({ ...place, context, member, person, client })
  expect(complaints.slice(before)).toEqual([])
}

/** Opens a page of the shared server, or of another by its whole address, and signs in on the way. */
export async function signIn(page: Page, { username, password }: Member, path: string): Promise<void> {
  await page.goto(new URL(path, origin).href)
  await page.getByLabel('E-mail address or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}

interface Press {
  /** Words of the button, or the button itself. */
  readonly button: string | Locator
  /** Notice that the page shows; null where the page has no such notice. */
  readonly notice: string | null
  /** Reads the state that the form is to change, outside of its page. */
  readonly effect: Reading
}

/** Presses a button, waits for what it changes, and reads the notice of what it did. */
export async function pressFor(page: Page, { button, notice, effect }: Press): Promise<void> {
  const locator =
    typeof button === 'string' ? page.getByRole('button', { name: button, exact: true }) : button
  const name = typeof button === 'string' ? button : String(button)
  const send = async () => {
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.isNavigationRequest()),
      page.waitForEvent('load'),
      locator.click(),
    ])
    return new URL(request.url()).pathname
  }
  effectiveForms.add(await sendWithEffect({ evidence: effect, name, send }))
  if (notice === null) return
  const shown = page.locator('.note.success p:first-child')
  expect(
    (await shown.allInnerTexts()).map((text) => text.trim()),
    page.url(),
  ).toEqual([notice])
}

/** Opens what asks once more, and presses its button. */
export async function confirmFor(page: Page, summary: string, press: Press): Promise<void> {
  await page.locator('summary').filter({ hasText: summary }).first().click()
  await pressFor(page, press)
}

/** Reads the fields of a page as the member has them in another browser. */
export function fieldsOf(member: Member, path: string): Reading {
  const visitor = new Visitor()
  return async () => {
    const page = await signInTo(visitor, member, path)
    expect(page.url.pathname).toBe(path)
    return page.forms.flatMap(({ fields }) => [...fields].filter(([name]) => name !== 'csrf_token'))
  }
}

/** Presses a button whose form is wrong: the problems take the focus, and lead to their field. */
export async function pressWrong(page: Page, button: string, field: string): Promise<void> {
  await press(page, button)
  // The browser moves the focus when it first draws the page.
  const focused = (key: 'className' | 'id') => page.evaluate<string>(`document.activeElement?.${key}`)
  await expect.poll(() => focused('className'), hangLimit).toContain('danger')
  await page.locator('.note.danger a').first().click()
  await expect.poll(() => focused('id'), hangLimit).toBe(`field-${field}`)
}

/** Status of a call of the API by the member. */
export async function statusOf(token: string, path: string): Promise<number> {
  const answer = await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}
