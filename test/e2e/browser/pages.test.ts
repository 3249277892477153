import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setup } from '../../../scripts/lib/server.mjs'
import { launch, newWindows, overflow, press, withChromium } from '../support/browser'
import { type ClientSite, openClientSite, registerAt } from '../support/client-site'
import { type Instance, startInstance } from '../support/instance'
import { mastoOf } from '../support/masto'
import { flaws, violations } from '../support/page-checks'
import { origin, resetLink } from '../support/people'
import { mediaFile } from '../support/pictures'
import { authorize, type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

/** Cookies of somebody who is signed in. */
type Kept = Awaited<ReturnType<BrowserContext['storageState']>>

const looks = [
  { name: 'phone', width: 360, height: 740, colorScheme: 'light' },
  { name: 'phone-dark', width: 360, height: 740, colorScheme: 'dark' },
  { name: 'desk', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'desk-dark', width: 1280, height: 800, colorScheme: 'dark' },
] as const

/** Looks at a page the way a person would, in every size and both colour schemes. */
async function inspect(
  browser: Browser,
  name: string,
  open: (page: Page) => Promise<unknown>,
  storageState?: Kept,
) {
  const { context, complaints } = await newWindows(
    browser,
    storageState === undefined ? {} : { storageState },
  )
  const page = await context.newPage()
  await open(page)
  for (const [index, { name: look, colorScheme, ...size }] of looks.entries()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.screenshot({ path: `test/e2e/screenshots/${name}-${look}.png`, fullPage: true })
    const problems = [...(await flaws(page)), ...(await violations(page, { isAgain: index > 0 }))]
    expect({ look, complaints, overflow: await overflow(page), problems }).toEqual({
      look,
      complaints: [],
      overflow: 0,
      problems: [],
    })
  }
  await context.close()
}

withChromium('the pages of a person', () => {
  let browser: Browser
  let site: ClientSite
  let member: Member
  let signedIn: Kept

  beforeAll(async () => {
    browser = await launch()
    site = await openClientSite()
    member = await signUp(new Visitor())
    const { context } = await newWindows(browser)
    await signIn(await context.newPage())
    signedIn = await context.storageState()
    await context.close()
  })

  afterAll(async () => {
    site.close()
    await browser.close()
  })

  async function signIn(page: Page) {
    await page.goto(`${origin}/auth/sign_in`)
    await page.getByLabel('E-mail address or user name').fill(member.username)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await press(page, 'Sign in')
  }

  it.each([
    ['landing', '/'],
    ['posts', '/public/local'],
    ['people', '/directory'],
    ['hashtag', '/tags/introduction'],
    ['about', '/about'],
    ['rules', '/about/rules'],
    ['privacy', '/privacy-policy'],
    ['terms', '/terms-of-service'],
    ['sign-up', '/auth/sign_up'],
    ['sign-in', '/auth/sign_in'],
    ['password-forgotten', '/auth/password/new'],
    ['password-reset-dead', '/auth/password/edit?reset_password_token=dead'],
    ['confirmation', '/auth/confirmation/new'],
    ['confirmation-dead', '/auth/confirmation?confirmation_token=dead'],
    ['not-found', '/a/page/that/is/not/here'],
    ['oauth-error', '/oauth/authorize?client_id=nobody&redirect_uri=https://x.example&response_type=code'],
  ])('%s is complete without sign-in', async (name, path) => {
    await inspect(browser, name, (page) => page.goto(origin + path))
  })

  it('shows mistakes in forms where they were made', async () => {
    await inspect(browser, 'sign-up-mistakes', async (page) => {
      await page.goto(`${origin}/auth/sign_up`)
      await page.evaluate('document.querySelector("main form").noValidate = true')
      await page.getByLabel('User name').fill('two words')
      await page.getByLabel('E-mail address').fill('nowhere')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await press(page, 'Create account')
    })
    await inspect(browser, 'sign-in-mistake', async (page) => {
      await page.goto(`${origin}/auth/sign_in`)
      await page.getByLabel('E-mail address or user name').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('nothing')
      await press(page, 'Sign in')
    })
  })

  it('leads from a mailed link to a new password', async () => {
    const link = await resetLink(member)
    await inspect(browser, 'password-reset', (page) => page.goto(link))
  })

  it('of one’s own account is complete', async () => {
    const app = await registerAt(site, 'An application whose name is long for such a small window')
    const visitor = new Visitor()
    const { token } = await app.exchange((await authorize(visitor, member, app.authorizeUrl)).url.href)
    await mastoOf({ token }).v1.accounts.updateCredentials({
      displayName: 'Robin of the long and wide sky',
      avatar: await mediaFile('rgb.png', 'image/png'),
    })
    for (const [name, path] of [
      ['start', '/start'],
      ['account', '/auth/edit'],
      ['password-change', '/auth/edit/password'],
      ['email-change', '/auth/edit/email'],
      ['preferences', '/settings/preferences'],
      ['sign-out', '/auth/sign_out'],
      ['landing-signed-in', '/'],
    ] as const)
      await inspect(browser, name, (page) => page.goto(origin + path), signedIn)
  })

  it('of the consent is whole, with few scopes and with all', async () => {
    for (const [name, scope] of [
      ['consent', 'read write follow push'],
      ['consent-small', 'profile'],
      ['consent-fine', 'read:accounts read:statuses write:statuses write:media admin:read'],
    ] as const) {
      const app = await registerAt(site, 'Thicket for Android', scope)
      const open = async (page: Page) => {
        await page.goto(app.authorizeUrl)
        await page.getByRole('button', { name: 'Authorise' }).waitFor()
      }
      await inspect(browser, name, open, signedIn)
    }
    const shell = await registerAt({ callback: 'urn:ietf:wg:oauth:2.0:oob' }, 'Shell')
    const open = async (page: Page) => {
      await page.goto(`${shell.authorizeUrl}&force_login=true`)
      await press(page, 'Authorise')
    }
    await inspect(browser, 'code', open, signedIn)
  })
})

withChromium('the sign-up page elsewhere', () => {
  let browser: Browser
  let elsewhere: Instance

  beforeAll(async () => {
    ;[browser, elsewhere] = await Promise.all([
      launch(),
      startInstance({
        title: 'A server with a remarkably long name',
        registrations: 'approval',
        minimumAge: 16,
      }),
    ])
  })

  afterAll(async () => {
    await Promise.all([browser.close(), elsewhere.close()])
  })

  it('asks for a reason and an age, then says that a moderator will decide', async () => {
    const open = (page: Page) => page.goto(`${elsewhere.origin}/auth/sign_up`)
    await inspect(browser, 'sign-up-approval', open)
    await inspect(browser, 'waiting', async (page) => {
      await open(page)
      await page.getByLabel('User name').fill('siskin')
      await page.getByLabel('E-mail address').fill('siskin@birds.example')
      await page.getByLabel('Password', { exact: true }).fill('alder-and-birch')
      await page.getByLabel('Password, once more').fill('alder-and-birch')
      await page.getByLabel('Date of birth').fill('1990-05-01')
      await page.getByLabel('Why do you want to join?').fill('I like it here')
      await page.getByRole('checkbox').check()
      await press(page, 'Request an account')
      await page.getByRole('heading', { name: 'Waiting for approval' }).waitFor()
    })
  })

  it('shows that it is closed', async () => {
    const server = { origin: elsewhere.origin, secrets: { SETUP_TOKEN: elsewhere.setupToken } }
    await setup(server, 'PUT', 'settings', { registrations: 'closed' })
    await inspect(browser, 'sign-up-closed', (page) => page.goto(`${elsewhere.origin}/auth/sign_up`))
    await inspect(browser, 'landing-closed', (page) => page.goto(elsewhere.origin))
  })
})
