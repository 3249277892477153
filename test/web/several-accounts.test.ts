import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, sessions, statuses, users } from '../../src/db/schema'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { given } from '../support/given'
import { givenMember, password, signedIn } from '../support/members'
import { csrfTokenOf } from '../support/page-calls'
import { context } from '../support/test-app'

type Member = Awaited<ReturnType<typeof givenMember>>

/** Signs a browser in to one more account, as its form does. */
const add = (browser: Browser, { username }: Member) =>
  browser.fill('/auth/sign_in?add=1', { username, password })

const switchTo = (browser: Browser, { username }: Member) =>
  browser.fill('/accounts', { account: username }, { action: '/accounts/switch' })

/** Name of the account that a browser acts as; null for a visitor. */
async function activeIn(browser: Browser): Promise<string | null> {
  const { html } = await browser.get('/menu')
  return /name="acting_as" value="([^"]*)"/.exec(html)?.[1] ?? null
}

/** A browser with two accounts, of which `second` is active. */
async function two() {
  const { member: first, browser } = await signedIn()
  const second = await givenMember()
  await add(browser, second)
  return { browser, first, second }
}

const sessionsOf = (member: Member) =>
  context().db.select().from(sessions).where(eq(sessions.accountId, member.id))
const textsOf = async (member: Member) => {
  const rows = await context().db.select().from(statuses).where(eq(statuses.accountId, member.id))
  return rows.map(({ text }) => text)
}

describe('several accounts in one browser', () => {
  it('an account added at sign-in becomes the active one, and the other stays signed in', async () => {
    const { browser, first, second } = await two()
    expect(await activeIn(browser)).toBe(second.username)
    await switchTo(browser, first)
    expect(await activeIn(browser)).toBe(first.username)
    expect(await sessionsOf(first)).toHaveLength(1)
    expect(await sessionsOf(second)).toHaveLength(1)
  })

  it('each account has a signed cookie of its own that scripts and other sites cannot use', async () => {
    const { member, browser } = await signedIn()
    const second = await givenMember()
    const { cookies } = await add(browser, second)
    for (const { username } of [member, second]) {
      const cookie = cookies.find((text) => text.startsWith(`__Host-account_${username}=`)) ?? ''
      for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag)
    }
    const stranger = new Browser()
    stranger.plant(
      `__Host-account_${second.username}`,
      browser.jar.get(`__Host-account_${member.username}`) ?? '',
    )
    expect((await stranger.get('/accounts')).html).not.toContain(second.username)
  })

  it('an ordinary sign-in in a window of before ends the session it replaces, as with one account', async () => {
    const { member, browser } = await signedIn()
    const second = await givenMember()
    const page = await browser.get('/auth/sign_in?add=1')
    const { add: _, ...fields } = hiddenFields(page.html, '/auth/sign_in')
    await browser.post('/auth/sign_in', { ...fields, username: second.username, password })
    expect(await sessionsOf(member)).toHaveLength(0)
    expect([...browser.jar.keys()].filter((name) => name.includes('account_'))).toEqual([])
  })

  it('five accounts are the most, and a sixth is refused with a sentence', async () => {
    const { browser } = await two()
    for (let count = 2; count < 5; count += 1) await add(browser, await givenMember())
    const page = await browser.get('/accounts')
    expect(textOf(page.html)).toContain('as many accounts as it can hold')
    expect(page.html).not.toContain('href="/auth/sign_in?add=1"')
    const sixth = await givenMember()
    const refused = await add(browser, sixth)
    expect(refused.status).toBe(409)
    expect(textOf(refused.html)).toContain('at most')
    expect(await sessionsOf(sixth)).toHaveLength(0)
  })

  it('signing in to an account again replaces its session and leaves the others', async () => {
    const { browser, first, second } = await two()
    await add(browser, first)
    expect(await sessionsOf(first)).toHaveLength(1)
    expect(await sessionsOf(second)).toHaveLength(1)
    expect(await activeIn(browser)).toBe(first.username)
  })

  it('signing out of the active account leaves the others, and the next page lets one be chosen', async () => {
    const { browser, first, second } = await two()
    const out = await browser.fill('/menu', {}, { action: '/auth/sign_out' })
    expect(out.location).toBe('/accounts?done=out')
    // Clearing would take the drafts of the other account along.
    expect(out.headers.get('clear-site-data')).toBeNull()
    const page = await browser.get('/accounts?done=out')
    expect(textOf(page.html)).toContain('The others stay.')
    expect(page.html).toContain(`data-left="${second.username}"`)
    expect((await browser.get('/accounts')).html).not.toContain('data-left')
    expect(await sessionsOf(second)).toHaveLength(0)
    expect(await activeIn(browser)).toBeNull()
    await switchTo(browser, first)
    expect(await activeIn(browser)).toBe(first.username)
  })

  it('signing out of another account leaves the active one', async () => {
    const { browser, first, second } = await two()
    const page = await browser.get('/accounts')
    const fields = hiddenFields(page.html, '/auth/sign_out')
    await browser.post('/auth/sign_out', { ...fields, account: first.username })
    expect(await sessionsOf(first)).toHaveLength(0)
    expect(await activeIn(browser)).toBe(second.username)
  })

  it('signing out of all accounts ends every session of the browser and empties the device', async () => {
    const { browser, first, second } = await two()
    const elsewhere = await signedIn()
    const page = await browser.get('/accounts')
    const fields = hiddenFields(page.html, '/auth/sign_out')
    const out = await browser.post('/auth/sign_out', { ...fields, all: '1' })
    expect(out.headers.get('clear-site-data')).toBe('"storage"')
    expect([...browser.jar.keys()].filter((name) => /account_|session/.test(name))).toEqual([])
    for (const member of [first, second]) expect(await sessionsOf(member)).toHaveLength(0)
    expect(await sessionsOf(elsewhere.member)).toHaveLength(1)
  })

  it.each([
    [
      'signed out elsewhere',
      'Signed out',
      async (member: Member) => {
        await context().db.delete(sessions).where(eq(sessions.accountId, member.id))
      },
    ],
    [
      'suspended',
      'Suspended or disabled',
      async (member: Member) => {
        await context()
          .db.update(accounts)
          .set({ suspendedAt: new Date(1) })
          .where(eq(accounts.id, member.id))
      },
    ],
    [
      'disabled',
      'Suspended or disabled',
      async (member: Member) => {
        await context()
          .db.update(users)
          .set({ disabledAt: new Date(1) })
          .where(eq(users.accountId, member.id))
      },
    ],
  ])('an active account that is %s is said to be so, and the other goes on', async (_, said, end) => {
    const { browser, first, second } = await two()
    await end(second)
    const home = await browser.get('/home')
    expect(home.location).toContain('/auth/sign_in')
    const page = await browser.get(home.location ?? '')
    expect(textOf(page.html)).toContain(said)
    expect(page.html).toContain(`@${second.username}`)
    await switchTo(browser, first)
    expect(await activeIn(browser)).toBe(first.username)
  })

  it('the page of accounts takes two round trips, however many there are', async () => {
    const { browser } = await two()
    for (let count = 2; count < 5; count += 1) await add(browser, await givenMember())
    const { costs } = await browser.get('/accounts')
    expect(costs.trips).toBeLessThanOrEqual(2)
    expect(costs.rowsRead).toBeLessThan(60)
    expect((await browser.get('/home')).costs.trips).toBeLessThanOrEqual(2)
  })
})

describe('a page of another account than the active one', () => {
  it('a form of another account than the active one is refused with a sentence, keeps the text, and goes on after a switch', async () => {
    const { browser, first, second } = await two()
    const page = await browser.get('/publish')
    const fields = { ...hiddenFields(page.html, '/publish'), status: 'A waxwing in the hedge', press: 'post' }
    await switchTo(browser, first)
    const refused = await browser.post('/publish', fields, { headers: { origin: 'https://fieldfare.test' } })
    expect(refused.status).toBe(409)
    const said = textOf(refused.html)
    expect(said).toContain(`@${second.username}`)
    expect(said).toContain(`@${first.username}`)
    expect(said).toContain('A waxwing in the hedge')
    expect(await textsOf(first)).toEqual([])
    expect(await textsOf(second)).toEqual([])
    const back = await browser.post('/accounts/switch', hiddenFields(refused.html, '/accounts/switch'))
    expect(back.location).toBe('/publish')
    const again = await browser.get('/publish')
    expect(again.html).toContain('A waxwing in the hedge')
    expect(again.html).toContain(`name="acting_as" value="${second.username}"`)
    expect(await textsOf(second)).toEqual([])
  })

  it('a text that one account typed is not shown to another account of the browser', async () => {
    const { browser, first } = await two()
    const page = await browser.get('/publish')
    const fields = { ...hiddenFields(page.html, '/publish'), status: 'Only mine to see', press: 'post' }
    await switchTo(browser, first)
    const refused = await browser.post('/publish', fields, { headers: { origin: 'https://fieldfare.test' } })
    await browser.post('/accounts/switch', hiddenFields(refused.html, '/accounts/switch'))
    await switchTo(browser, first)
    expect((await browser.get('/publish')).html).not.toContain('Only mine to see')
  })

  it('a form is refused with a sentence also where the account that opened it is no longer signed in', async () => {
    const { browser, first, second } = await two()
    const page = await browser.get('/publish')
    const fields = { ...hiddenFields(page.html, '/publish'), status: 'Left behind here', press: 'post' }
    await browser.fill('/menu', {}, { action: '/auth/sign_out' })
    await switchTo(browser, first)
    const refused = await browser.post('/publish', fields, { headers: { origin: 'https://fieldfare.test' } })
    expect(refused.status).toBe(409)
    expect(textOf(refused.html)).toContain(`@${second.username} is no longer signed in here`)
    expect(textOf(refused.html)).toContain('Left behind here')
    expect(await textsOf(first)).toEqual([])
    await add(browser, second)
    expect((await browser.get('/publish')).html).toContain('Left behind here')
  })

  it('buttons of a page that one account opened do nothing for another, whichever act they are', async () => {
    const { browser, first } = await two()
    const { id } = await given.status({ by: await given.account(), text: 'A post' })
    const page = await browser.get(`/posts/${id}`)
    const { html } = page.location === null ? page : await browser.get(page.location)
    const fields = hiddenFields(html, `/posts/${id}`)
    await switchTo(browser, first)
    for (const act of ['favourite', 'boost', 'bookmark', 'mute'])
      expect((await browser.post(`/posts/${id}`, { ...fields, act })).status).toBe(409)
    const kept = await browser.get('/favourites')
    expect(kept.html).not.toContain(`/posts/${id}`)
  })

  it('a form that another site sends is refused as before, and shows none of its words', async () => {
    const { browser } = await two()
    const sent = { acting_as: 'somebody', status: 'Words of a stranger', csrf_token: 'made up' }
    const foreign = await browser.post('/publish', sent, { headers: { origin: 'https://elsewhere.example' } })
    expect(foreign.status).toBe(403)
    const unnamed = await browser.post('/publish', sent)
    expect(unnamed.status).toBe(422)
    for (const { html } of [foreign, unnamed]) expect(html).not.toContain('Words of a stranger')
  })

  it('scripts of one account get nothing of another: pages and API refuse their token', async () => {
    const { browser, first } = await two()
    const token = await csrfTokenOf(browser)
    await switchTo(browser, first)
    const headers = { 'x-csrf-token': token }
    for (const path of ['/home', '/notifications', '/conversations', '/publish', '/bookmarks', '/menu'])
      expect((await browser.get(path, { headers })).status).toBe(409)
    const read = { ...headers, 'sec-fetch-site': 'same-origin', accept: 'application/json' }
    const answer = await browser.get('/api/v1/timelines/home', { headers: read })
    expect(answer.status).toBe(409)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it('a socket is refused that names another account than the active one', async () => {
    const { browser, first, second } = await two()
    const headers = {
      upgrade: 'websocket',
      origin: 'https://fieldfare.test',
      accept: 'application/json',
    }
    await switchTo(browser, first)
    const path = (name: string) => `/api/v1/streaming?stream=user&account=${name}`
    expect((await browser.get(path(second.username), { headers })).status).toBe(409)
    expect((await browser.get(path(first.username), { headers })).status).toBe(101)
  })
})
