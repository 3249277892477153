import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { closeWindows, newWindows, openBrowser, overflow, press, withChromium } from '../support/browser'
import { ContactSheet } from '../support/contact-sheet'
import { type FreshServer, startFreshServer } from '../support/fresh-server'
import { freePort, type Instance, startInstance } from '../support/instance'
import { addAxe, flaws, setLook, violations, widths } from '../support/page-checks'
import { eventually } from '../support/receiver'

/** A member of another server who follows an account, once that has accepted. */
async function followerOn({ origin, setupToken }: Instance, account: string) {
  const call = async (method: string, path: string, body?: object, token = setupToken): Promise<unknown> => {
    const response = await fetch(origin + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.status, `${method} ${path}`).toBeLessThan(300)
    return response.json()
  }
  const { token } = z
    .object({ token: z.string() })
    .parse(await call('POST', '/setup/account', { username: 'robin' }))
  const asRobin = (method: string, path: string) => call(method, path, undefined, token)
  const Found = z.object({ accounts: z.tuple([z.object({ id: z.string() })]) })
  const query = new URLSearchParams({ q: account, type: 'accounts', resolve: 'true' })
  const { accounts } = Found.parse(await asRobin('GET', `/api/v2/search?${query}`))
  const [{ id }] = accounts
  await asRobin('POST', `/api/v1/accounts/${id}/follow`)
  await eventually(async () =>
    expect(await asRobin('GET', `/api/v1/accounts/relationships?id=${id}`)).toMatchObject([
      { following: true },
    ]),
  )
  return { call: asRobin }
}

withChromium('set-up in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  const sheet = ContactSheet.ifWanted()
  afterAll(async () => {
    await closeWindows()
    sheet?.save()
  })

  const problems: string[] = []

  /** Looks at a page at three widths. */
  async function look(page: Page, name: string): Promise<void> {
    for (const width of widths) {
      const size = { width, scheme: width === 768 ? 'dark' : 'light' } as const
      await setLook(page, size)
      await sheet?.add(page, name, { look: size, language: 'en' })
      if ((await overflow(page)) > 0) problems.push(`${name} is wider than ${width} pixels`)
    }
    await addAxe(page)
    for (const problem of [...(await violations(page, 'all')), ...(await flaws(page))])
      problems.push(`${name}: ${problem}`)
  }

  /** Opens set-up again after its server was killed, where it has to be at the same step. */
  async function resume(page: Page, server: FreshServer, heading: string): Promise<void> {
    await server.restart()
    await page.goto(`${server.origin}/setup`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading)
  }

  async function enter(page: Page, { origin, setupSecret }: FreshServer, secret = setupSecret) {
    await page.goto(origin)
    await page.getByLabel('Set-up secret').fill(secret)
    await press(page, 'Continue')
  }

  it('set-up in a browser leads from an empty account to a first post on another server, killed at each step', async () => {
    const port = await freePort()
    const peer = await startInstance({}, { FEDERATION_TEST_HOSTS: `localhost:${port}` })
    const server = await startFreshServer({ port, peers: new URL(peer.origin).host })
    const { origin } = server
    const { context, complaints } = await newWindows(browser)
    const page = await context.newPage()
    const host = new URL(origin).host

    await enter(page, server, 'a wrong secret')
    expect(await page.getByText('That is not the set-up secret of this server.').isVisible()).toBe(true)
    await look(page, 'the secret')
    await enter(page, server)

    await resume(page, server, 'Database')
    await look(page, 'the database')
    await press(page, 'Make the tables')
    // Killed while tables are made: alarms go on by themselves.
    await server.restart()
    await page.goto(`${origin}/setup`)
    await page.getByRole('heading', { name: 'Domain', level: 1 }).waitFor()

    await resume(page, server, 'Domain')
    await look(page, 'the domain')
    await page.getByLabel('Domain', { exact: true }).fill('no domain')
    await press(page, 'Continue')
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('no domain')
    await page.getByLabel('Domain', { exact: true }).fill(host)
    await press(page, 'Continue')

    await resume(page, server, 'Name and sign-up')
    await page.getByLabel('Name').fill('The Hedge')
    await page.getByLabel('By invitation only').check()
    await look(page, 'the name')
    await press(page, 'Continue')

    await resume(page, server, 'Plan and e-mail')
    await look(page, 'the plan')
    await press(page, 'Continue')

    await resume(page, server, 'File of secrets')
    await look(page, 'the secrets')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the file' }).click(),
    ])
    const File = z.object({ INSTANCE_SECRET: z.string().length(43), ORIGIN: z.string(), PLAN: z.string() })
    const file = File.parse(JSON.parse(readFileSync(await download.path(), 'utf8')))
    expect(file).toMatchObject({ ORIGIN: origin, PLAN: 'free' })
    await page.getByLabel('I have stored the file in a safe place').check()
    await press(page, 'Continue')

    await resume(page, server, 'Checks')
    const reached = page.getByRole('listitem').filter({ hasText: `${host} leads to this server` })
    await reached.getByText('working').waitFor()
    await look(page, 'the checks')
    await press(page, 'Continue')

    await resume(page, server, 'Your account')
    await page.getByLabel('Username').fill('fieldfare_owner')
    await page.getByLabel('E-mail address').fill('owner@example.org')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByLabel('Confirm password').fill('another password')
    await look(page, 'the owner')
    await press(page, 'Create the account')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByLabel('Confirm password').fill('a long password')
    await press(page, 'Create the account')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your server is ready')
    await look(page, 'the end')

    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address or username').fill('fieldfare_owner')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await press(page, 'Sign in')
    await page.goto(`${origin}/home`)
    expect(new URL(page.url()).pathname).toBe('/home')
    expect(await page.getByText('The Hedge').first().isVisible()).toBe(true)
    expect((await fetch(`${origin}/setup`, { headers: { accept: 'text/html' } })).status).toBe(404)
    // Other servers find the account.
    const found = await fetch(`${origin}/.well-known/webfinger?resource=acct:fieldfare_owner@${host}`)
    expect(await found.text()).toContain(`${origin}/users/fieldfare_owner`)
    const follower = await followerOn(peer, `fieldfare_owner@${host}`)
    await page
      .getByRole('textbox', { name: 'What would you like to say?' })
      .fill('The first post of this server')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('article').getByText('The first post of this server').waitFor()
    await eventually(async () =>
      expect(JSON.stringify(await follower.call('GET', '/api/v1/timelines/home'))).toContain(
        'The first post of this server',
      ),
    )
    await server.restart()
    expect((await fetch(`${origin}/health`)).status).toBe(200)

    expect(problems).toEqual([])
    // The browser says so when it asks while the server is killed.
    const ofKills = /net::ERR_(EMPTY_RESPONSE|CONNECTION_(REFUSED|RESET|CLOSED))/
    expect(complaints.filter((complaint) => !ofKills.test(complaint))).toEqual([])
    await context.close()
    await server.close()
    await peer.close()
  })

  it('set-up in a browser makes a set-up secret in the page about the button, as long as it has to be', async () => {
    execFileSync(process.execPath, ['scripts/documents.mjs'])
    const server = await startFreshServer()
    const { context, complaints } = await newWindows(browser)
    const page = await context.newPage()
    await page.goto(`${server.origin}/docs/operate/deploy-by-button/`)
    const secrets: string[] = []
    for (let press = 0; press < 2; press++) {
      await page.getByRole('button', { name: 'Make a secret in this browser' }).click()
      secrets.push((await page.locator('output').textContent()) ?? '')
    }
    expect(secrets[0]).toMatch(/^[\w+/]{44}$/)
    expect(secrets[1]).not.toBe(secrets[0])
    await look(page, 'the page about the button')
    expect(problems).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
    await server.close()
  })

  it('set-up in a browser works without scripts, and tells a second browser that another one is at work', async () => {
    const server = await startFreshServer()
    const plain = { javaScriptEnabled: false }
    const [first, second] = await Promise.all([newWindows(browser, plain), newWindows(browser, plain)])
    const [page, other] = await Promise.all([first.context.newPage(), second.context.newPage()])
    await enter(page, server)
    await press(page, 'Make the tables')
    // The page asks again by itself.
    await page.getByRole('heading', { name: 'Domain', level: 1 }).waitFor()

    await enter(other, server)
    const held = 'Another browser is setting up this server'
    expect(await other.getByRole('heading', { level: 1 }).textContent()).toBe(held)
    await press(other, 'Continue here')
    await press(page, 'Continue')
    expect(await page.getByText('Set-up was continued in another browser').isVisible()).toBe(true)
    await press(other, 'Continue')
    expect(await other.getByRole('heading', { level: 1 }).textContent()).toBe('Name and sign-up')
    await Promise.all([first.context.close(), second.context.close()])
    await server.close()
  })
})
