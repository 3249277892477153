import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { newWindows, overflow, press, useBrowser, withChromium } from '../support/browser'
import { registerAt } from '../support/client-site'
import { tabTo } from '../support/keyboard'
import { mastoFailure, mastoOf } from '../support/masto'
import { origin } from '../support/people'
import { type Member, newMember, signUp as signUpQuickly } from '../support/sign-in'
import { Visitor } from '../support/visitor'

async function signIn(page: Page, { username, password }: Pick<Member, 'username' | 'password'>) {
  await page.getByLabel('E-mail address or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

withChromium('a person with a browser', () => {
  const place = useBrowser()

  it('signs up, authorises, denies and revokes applications, and signs out', async () => {
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    const member = newMember('robin')
    await page.goto(origin)
    await page.getByRole('link', { name: 'Sign up' }).first().click()
    await page.getByLabel('Username').fill(member.username)
    await page.getByLabel('E-mail address').fill(member.email)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await page.getByLabel('Confirm password').fill(member.password)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`${origin}/start`)
    expect(await heading(page)).toBe('Welcome to The Hedge')
    await page.getByRole('link', { name: 'Apps and browsers' }).click()
    expect(await heading(page)).toBe('Your account')

    const [wanted, unwanted] = [await registerAt(place.site, 'Nest'), await registerAt(place.site, 'Cuckoo')]
    await page.goto(wanted.authorizeUrl)
    expect(await heading(page)).toBe('Let Nest use your account?')
    await page.getByRole('button', { name: 'Authorise' }).click()
    await page.waitForURL(`${place.site.callback}?code=*`)
    const { token } = await wanted.exchange(page.url())
    expect((await mastoOf({ token }).v1.accounts.verifyCredentials()).username).toBe(member.username)
    await page.goto(unwanted.authorizeUrl)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${place.site.callback}?error=access_denied*`)

    await page.goto(`${origin}/oauth/authorized_applications`)
    expect(await page.getByRole('heading', { name: 'Cuckoo' }).count()).toBe(0)
    await page.getByText('Revoke…').click()
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('The application can no longer use your account.').waitFor()
    expect(await page.getByRole('heading', { name: 'Nest' }).count()).toBe(0)
    const failure = await mastoFailure(mastoOf({ token }).v1.accounts.verifyCredentials())
    expect(failure.statusCode).toBe(401)

    await page.goto(`${origin}/auth/edit`)
    await press(page, 'Sign out')
    await page.goto(`${origin}/auth/edit`)
    expect(await heading(page)).toBe('Sign in')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('changes the password, which signs out all other browsers', async () => {
    const member = await signUpQuickly(new Visitor())
    const [here, there] = [await newWindows(place.browser), await newWindows(place.browser)]
    const [page, other] = [await here.context.newPage(), await there.context.newPage()]
    for (const one of [page, other]) {
      await one.goto(`${origin}/auth/sign_in`)
      await signIn(one, member)
      await one.goto(`${origin}/auth/edit`)
      expect(await heading(one)).toBe('Your account')
    }
    await page.getByRole('link', { name: 'Password and passkeys' }).click()
    const fresh = 'three-small-wrens'
    await page.getByLabel('Current password').fill('not this')
    await page.getByLabel('New password', { exact: true }).fill(fresh)
    await page.getByLabel('Confirm new password').fill(fresh)
    await press(page, 'Change password')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Current password').fill(member.password)
    await page.getByLabel('New password', { exact: true }).fill(fresh)
    await page.getByLabel('Confirm new password').fill(fresh)
    await press(page, 'Change password')
    await page.getByText('Your password is changed').waitFor()

    await other.goto(`${origin}/auth/edit`)
    expect(await heading(other)).toBe('Sign in')
    await signIn(other, member)
    expect(await other.getByRole('alert').innerText()).not.toBe('')
    await signIn(other, { ...member, password: fresh })
    await other.goto(`${origin}/auth/edit`)
    expect(await heading(other)).toBe('Your account')
    expect([...here.complaints, ...there.complaints]).toEqual([])
    await Promise.all([here.context.close(), there.context.close()])
  })

  it('saves preferences that apps read', async () => {
    const member = await signUpQuickly(new Visitor())
    const app = await registerAt(place.site, 'Settled')
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    await page.goto(app.authorizeUrl)
    await signIn(page, member)
    await page.getByRole('button', { name: 'Authorise' }).click()
    await page.waitForURL(`${place.site.callback}?code=*`)
    const client = mastoOf(await app.exchange(page.url()))
    await page.goto(`${origin}/auth/edit`)
    await page.getByRole('link', { name: 'Posting and reading' }).click()
    await page.getByLabel('Who sees new posts').selectOption('private')
    await page.getByLabel('Mark my pictures and videos as sensitive').check()
    await page.getByLabel('Always expand content warnings').check()
    await press(page, 'Save')
    expect(await client.v1.preferences.fetch()).toMatchObject({
      'posting:default:visibility': 'private',
      'posting:default:sensitive': true,
      'reading:expand:spoilers': true,
    })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('signs in to a web client in a pop-up, which notifies its opener and closes', async () => {
    const member = await signUpQuickly(new Visitor())
    const app = await registerAt(place.site, 'Pop-up client')
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    await page.goto(`${place.site.origin}/?to=${encodeURIComponent(app.authorizeUrl)}`)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button').click()
    const popup = await opened
    await popup.waitForLoadState()
    expect(await popup.evaluate<boolean>('window.opener !== null')).toBe(true)
    expect(await overflow(popup)).toBe(0)
    await signIn(popup, member)
    await popup.getByRole('button', { name: 'Authorise' }).waitFor()
    expect(await overflow(popup)).toBe(0)
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Authorise' }).click()
    await closed
    const first = await page.locator('output').innerText()
    expect(first).toMatch(/^\?code=[\w-]{20,}/)
    await app.exchange(`${place.site.callback}${first}`)

    // A signed-in user coming from the other site: the cookie comes along and nothing is asked twice.
    const again = page.waitForEvent('popup')
    await page.getByRole('button').click()
    const second = await again
    // The window may be closed already: a signed-in user with consent is asked nothing.
    if (!second.isClosed()) await second.waitForEvent('close')
    await expect.poll(() => page.locator('output').innerText(), hangLimit).not.toBe(first)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('signs in and consents with the keyboard only', async () => {
    const member = await signUpQuickly(new Visitor())
    const app = await registerAt(place.site, 'Keys')
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    await page.goto(app.authorizeUrl)
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.innerText')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo(page, 'E-mail address or username')
    await page.keyboard.type(member.username)
    await tabTo(page, 'Password')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("role")')
    await expect.poll(focused, hangLimit).toBe('alert')
    await tabTo(page, 'Password')
    await page.keyboard.type(member.password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Authorise' }).waitFor()
    await tabTo(page, 'Authorise')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${place.site.callback}?code=*`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('returns to the consent page after sign-up', async () => {
    const app = await registerAt(place.site, 'Newcomer')
    const { context, complaints } = await newWindows(place.browser)
    const page = await context.newPage()
    const member = newMember('dunnock')
    await page.goto(app.authorizeUrl)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Username').fill(member.username)
    await page.getByLabel('E-mail address').fill(member.email)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await page.getByLabel('Confirm password').fill(member.password)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Authorise' }).click()
    await page.waitForURL(`${place.site.callback}?code=*`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
