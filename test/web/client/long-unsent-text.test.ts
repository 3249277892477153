import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sessions, statuses } from '../../../src/db/schema'
import { Browser, hiddenFields, type Page, textOf } from '../../support/browser'
import { password, signedIn } from '../../support/members'
import { context } from '../../support/test-app'
import { typedFields } from '../../support/typed-fields'

const path = '/publish'
const headers = { origin: 'https://fieldfare.test' }

/** A text of 480 characters, among so many that it hardly compresses. */
function wordsOf(seed: number): string {
  let state = seed * 7_919 + 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCodePoint(0x4e00 + (state % 5_000))
  }
  return `${Array.from({ length: 240 }, next).join('')} ${Array.from({ length: 239 }, next).join('')}`
}

const texts = Array.from({ length: 10 }, (_, index) => wordsOf(index))

const thread = {
  press: 'post',
  posts: '10',
  visibility: 'unlisted',
  language: 'de',
  ...Object.fromEntries(texts.map((text, at) => [at === 0 ? 'status' : `status_${at + 1}`, text])),
}

async function textsOf({ id }: { readonly id: number }) {
  const rows = await context().db.select().from(statuses).where(eq(statuses.accountId, id))
  return rows.toSorted((a, b) => a.id - b.id).map(({ text, visibility }) => [text, visibility])
}

/** Sends the thread from a page of the composer whose session has ended. */
async function sentTooLate(typed: Readonly<Record<string, string>> = thread) {
  const { member, browser } = await signedIn()
  const fields = { ...hiddenFields((await browser.get(path)).html, path), ...typed }
  await context().db.delete(sessions).where(eq(sessions.accountId, member.id))
  return { member, browser, page: await browser.post(path, fields, { headers }) }
}

/** Sends the form of a page until the whole thread is published. */
async function sendAll(browser: Browser, page: Page): Promise<Page> {
  let sent = page
  for (let time = 0; sent.status !== 303 && time < 12; time += 1)
    sent = await browser.post(
      path,
      { ...hiddenFields(sent.html, path), ...typedFields(sent.html), press: 'post' },
      { headers },
    )
  return sent
}

describe('a text that is too long to be kept over a sign-in', () => {
  it('a text that is too long to be kept over a sign-in stays on the page that answers, and is published from there after signing in in another tab', async () => {
    const { member, browser, page } = await sentTooLate()
    expect(page.status).toBe(409)
    expect(textOf(page.html)).toContain('You were signed out before this was sent.')
    expect(page.html).toContain(
      `href="/auth/sign_in?${new URLSearchParams({ return_to: path })}" target="_blank"`,
    )
    for (const text of texts) expect(page.html).toContain(text)
    expect(await textsOf(member)).toEqual([])
    await browser.signIn(member.username, password, path)
    const sent = await sendAll(browser, page)
    expect(sent.status).toBe(303)
    expect(await textsOf(member)).toEqual(texts.map((text) => [text, 'unlisted']))
  })

  it('a text that is too long to be kept over a sign-in is not published as another member who signs in, and stays on the page', async () => {
    const { browser, page } = await sentTooLate()
    const other = await signedIn()
    await browser.signIn(other.member.username, password, path)
    const fields = { ...hiddenFields(page.html, path), ...typedFields(page.html), press: 'post' }
    const refused = await browser.post(path, fields, { headers })
    expect(refused.status).toBe(409)
    for (const text of texts) expect(refused.html).toContain(text)
    expect(await textsOf(other.member)).toEqual([])
  })

  it('a text that is too long to be kept over a sign-in stays on the page where the member has signed in again in the meantime', async () => {
    const { member, browser } = await signedIn()
    const fields = { ...hiddenFields((await browser.get(path)).html, path), ...thread }
    await context().db.delete(sessions).where(eq(sessions.accountId, member.id))
    await browser.signIn(member.username, password, path)
    const page = await browser.post(path, fields, { headers })
    expect(page.status).toBe(422)
    expect(textOf(page.html)).toContain('This form has expired, and nothing was sent.')
    expect(await textsOf(member)).toEqual([])
    await sendAll(browser, page)
    expect(await textsOf(member)).toEqual(texts.map((text) => [text, 'unlisted']))
  })

  it('a text that is too long to be kept over a sign-in may be as long as the composer allows where the browser had a session, and no longer for strangers', async () => {
    const long = { ...thread, status: 'x '.repeat(40_000) }
    const { page } = await sentTooLate(long)
    expect([page.status, page.html.includes(long.status)]).toEqual([409, true])
    expect((await new Browser().post(path, long, { headers })).status).toBe(413)
  })

  it('a text that is too long to be kept over a sign-in never shows a password again', async () => {
    const { member, browser } = await signedIn()
    const at = '/auth/edit/email'
    const form = hiddenFields((await browser.get(at)).html, at)
    await context().db.delete(sessions).where(eq(sessions.accountId, member.id))
    const fields = { ...form, email: texts.join(' '), current_password: 'the secret one' }
    const page = await browser.post(at, fields, { headers })
    expect(page.status).toBe(409)
    expect(page.html).toContain(texts[0])
    expect(page.html).not.toContain('the secret one')
  })
})
