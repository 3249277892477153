import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { totpCode } from '../../../src/lib/totp'
import { secretIn } from '../../support/shown-secret'
import { newWindows, overflow, press, useBrowser, withChromium } from '../support/browser'
import { registerAt } from '../support/client-site'
import { mastoOf } from '../support/masto'
import { origin } from '../support/people'
import { withPhone } from '../support/phone'
import { type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

const twoFactor = `${origin}/settings/two-factor`

async function signIn(page: Page, { username, password }: Member) {
  await page.goto(`${origin}/auth/sign_in`)
  await page.getByLabel('E-mail address or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}

/** Looks at a page in the size of a phone: nothing sticks out. */
async function inspect(page: Page) {
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await overflow(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
}

withChromium('a person with a passkey', () => {
  const place = useBrowser()

  it('adds a passkey, signs in with it alone and after the password, and authorises an application', async () => {
    const member = await signUp(new Visitor())
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    const { devtools, authenticatorId } = await withPhone(context, page)
    await signIn(page, member)
    await page.goto(twoFactor)
    await inspect(page)
    await page.getByLabel('Name of the passkey').fill('My phone')
    await press(page, 'Add a passkey')
    expect(await page.locator('.recovery-codes li').count()).toBe(10)
    await inspect(page)
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'My phone' }).waitFor()
    await inspect(page)
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: new URL(origin).hostname }])

    await page.goto(`${origin}/auth/edit`)
    await press(page, 'Sign out')
    const app = await registerAt(place.site, 'Nest')
    await page.goto(app.authorizeUrl)
    await inspect(page)
    await press(page, 'Sign in with a passkey')
    await page.getByRole('button', { name: 'Authorise' }).click()
    await page.waitForURL(`${place.site.callback}?code=*`)
    const { token } = await app.exchange(page.url())
    expect((await mastoOf({ token }).v1.accounts.verifyCredentials()).username).toBe(member.username)

    await page.goto(`${origin}/auth/edit`)
    await press(page, 'Sign out')
    await signIn(page, member)
    expect(new URL(page.url()).pathname).toBe('/auth/sign_in/verify')
    await inspect(page)
    await press(page, 'Use your passkey')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Home')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows errors of a passkey, and accepts a recovery code', async () => {
    const member = await signUp(new Visitor())
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    const { devtools, authenticatorId } = await withPhone(context, page)
    await signIn(page, member)
    await page.goto(twoFactor)
    await page.getByLabel('Name of the passkey').fill('My phone')
    await press(page, 'Add a passkey')
    const code = await page.locator('.recovery-codes li').first().innerText()
    await page.goto(`${origin}/auth/edit`)
    await press(page, 'Sign out')
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await withPhone(context, page)
    await signIn(page, member)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('alert').getByText('Cancelled or timed out.').waitFor()
    await page.getByLabel('Recovery code').fill(code)
    await press(page, 'Sign in')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Home')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('sets up an authenticator app without scripts, and signs in with its code', async () => {
    const member = await signUp(new Visitor())
    const { context, complaints } = await newWindows(place.browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await signIn(page, member)
    await page.goto(twoFactor)
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false)
    await press(page, 'Set up an app')
    await inspect(page)
    const secret = secretIn(await page.content())
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, new Date()))
    await press(page, 'Confirm')
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await inspect(page)
    await page.goto(`${origin}/auth/edit`)
    await press(page, 'Sign out')
    await signIn(page, member)
    await inspect(page)
    // Code of the next step, since the one of this step was used.
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, new Date(Date.now() + 30_000)))
    await press(page, 'Sign in')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Home')
    expect(complaints).toEqual([])
    await context.close()
  })
})
