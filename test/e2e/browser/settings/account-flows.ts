import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect, inject } from 'vitest'
import { pushReader } from '../../../support/push-reader'
import { newWindows } from '../../support/browser'
import { registerAt } from '../../support/client-site'
import { mastoOf } from '../../support/masto'
import { domain, origin } from '../../support/people'
import { authorize, signInTo, signUp } from '../../support/sign-in'
import { newStaff } from '../../support/staff'
import { Visitor } from '../../support/visitor'
import { confirmFor, type Flow, pressFor, pressWrong, signIn, statusOf } from './setting'

const own = '/api/v1/accounts/verify_credentials'

const apps: Flow = async ({ page, site, member }) => {
  const app = await registerAt(site, 'Nest')
  const { token } = await app.exchange((await authorize(new Visitor(), member, app.authorizeUrl)).url.href)
  const endpoint = `http://127.0.0.1:${inject('pushPort')}/settings`
  const subscription = { endpoint, keys: pushReader(true).keys }
  await mastoOf({ token }).v1.push.subscription.create({ subscription, policy: 'all' })
  await page.reload()
  await pressFor(page, 'Stop Nest', 'Nothing is pushed to the device any more.')
  expect(await statusOf(token, '/api/v1/push/subscription')).toBe(404)
  expect(await statusOf(token, own)).toBe(200)
  const line = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Nest' }) })
  await line.locator('summary', { hasText: 'Revoke' }).click()
  const loaded = page.waitForEvent('load')
  await line.getByRole('button', { name: 'Revoke access' }).click()
  await loaded
  await page.getByText('The application can no longer use your account.').waitFor()
  expect(await statusOf(token, own)).toBe(401)
}

const sessions: Flow = async ({ page, browser, member, person }) => {
  const others = [await newWindows(browser), await newWindows(browser), await newWindows(browser)]
  const pages = await Promise.all(others.map(({ context }) => context.newPage()))
  for (const other of pages) await signIn(other, member, '/auth/edit')
  const signedIn = async () => {
    const headings: string[] = []
    for (const other of pages) {
      await other.goto(`${origin}/auth/edit`)
      headings.push(await other.getByRole('heading', { level: 1 }).innerText())
    }
    return headings.filter((heading) => heading === 'Your account').length
  }
  await page.reload()
  await confirmFor(page, 'Sign out Chrome', 'Sign out that browser', 'That browser is signed out.')
  expect(await signedIn()).toBe(2)
  const all = 'Sign out all other browsers…'
  await confirmFor(page, all, 'Sign out all others', 'All other browsers are signed out.')
  expect(await signedIn()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain(all)
  expect(await statusOf(person.token, own)).toBe(200)
  for (const { context } of others) await context.close()
}

const email: Flow = async ({ page, member }) => {
  const next = `new-${member.email}`
  await page.getByLabel('New e-mail address').fill(next)
  await page.getByLabel('Your password').fill('wrong')
  await pressWrong(page, 'Change address', 'current_password')
  expect(await page.getByLabel('New e-mail address').inputValue()).toBe(next)
  await page.getByLabel('Your password').fill(member.password)
  await pressFor(page, 'Change address', 'Your e-mail address is changed.')
  expect(await page.locator('main').innerText()).toContain(next)
  const byMail = await signInTo(new Visitor(), { ...member, username: next }, '/auth/edit')
  expect(byMail.url.pathname).toBe('/auth/edit')
}

const passwords: Flow = async ({ page, member, person }) => {
  const next = `${member.password}-2`
  await page.getByLabel('Current password').fill(member.password)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('New password, once more').fill('something else')
  await pressWrong(page, 'Change password', 'password_confirmation')
  await page.getByLabel('Current password').fill(member.password)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('New password, once more').fill(next)
  await page.getByLabel('Sign out all apps, too').check()
  const done = 'Your password is changed. All other browsers are signed out.'
  await pressFor(page, 'Change password', done)
  expect(await statusOf(person.token, own)).toBe(401)
  expect((await signInTo(new Visitor(), member, '/auth/edit')).url.pathname).toBe('/auth/sign_in')
  const fresh = await signInTo(new Visitor(), { ...member, password: next }, '/auth/edit')
  expect(fresh.url.pathname).toBe('/auth/edit')
}

const strikes: Flow = async ({ page, client, person }) => {
  const moderator = await newStaff('owner')
  const { action } = mastoOf(moderator).v1.admin.accounts.$select(person.id)
  await action.create({ type: 'silence', text: 'Too loud at night' })
  await page.reload()
  expect(await page.locator('main').innerText()).toContain('Too loud at night')
  await page.locator('summary', { hasText: 'Appeal' }).click()
  await page.getByLabel('Why the decision is wrong').fill('I am an owl')
  await pressFor(page, 'Send the appeal', 'Your appeal is with the moderators now.')
  expect(await page.locator('main').innerText()).toContain('I am an owl')
  const warned = async () => {
    const [notification] = await client.v1.notifications.list({ types: ['moderation_warning'] })
    return JSON.stringify(notification ?? null)
  }
  await expect.poll(warned, { timeout: 15_000 }).toMatch(/I am an owl/)
}

const archive: Flow = async ({ page, client }) => {
  await client.v1.statuses.create({ status: 'Kept for ever' })
  // The server of these tests sends no mail, and promises none.
  await pressFor(page, 'Request your archive', 'Your archive is being made. Come back to this page for it.')
  const ready = async () => {
    await page.goto(`${origin}/settings/archive`)
    return page.getByRole('link', { name: 'Download' }).count()
  }
  await expect.poll(ready, { timeout: 40_000 }).toBe(1)
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const tar = gunzipSync(await readFile(await (await coming).path())).toString('latin1')
  expect(tar).toContain('outbox.json')
  expect(tar).toContain('Kept for ever')
  expect(await page.getByRole('button', { name: 'Request your archive' }).count()).toBe(0)
}

const migration: Flow = async ({ page, browser, client, member, person }) => {
  const target = await signUp(new Visitor())
  const window = await newWindows(browser)
  const there = await window.context.newPage()
  await signIn(there, target, '/settings/migration')
  await there.getByLabel('Your old account').fill(`${member.username}@${domain}`)
  await pressFor(there, 'Add', 'Your old account is named. Now start the move there.')
  await window.context.close()

  await page.getByLabel('Your old account').fill('nobody at all')
  await pressWrong(page, 'Add', 'alias')
  await page.getByLabel('Your old account').fill(target.username)
  await pressFor(page, 'Add', 'Your old account is named. Now start the move there.')
  await pressFor(page, `Remove @${target.username}`, 'The alias is removed.')
  await page.getByLabel('Your new account').fill(`${target.username}@${domain}`)
  await page.getByLabel('Your password').fill('wrong')
  await pressWrong(page, 'Move followers', 'current_password')
  expect(await page.getByLabel('Your new account').inputValue()).toBe(`${target.username}@${domain}`)
  await page.getByLabel('Your password').fill(member.password)
  await pressFor(page, 'Move followers', 'Your account has moved. Your followers are on their way.')
  const moved = async () => (await client.v1.accounts.$select(person.id).fetch()).moved?.username
  expect(await moved()).toBe(target.username)
  const staying = 'Your profile points nowhere else any more.'
  await confirmFor(page, 'Stay here after all…', 'Cancel the move', staying)
  expect(await moved()).toBeUndefined()
}

const deletion: Flow = async ({ page, member, person }) => {
  await page.getByLabel('Your password').fill('wrong')
  await pressWrong(page, 'Delete my account', 'current_password')
  await page.getByLabel('Your password').fill(member.password)
  await pressFor(page, 'Delete my account', 'Your account is deleted.')
  expect(await statusOf(person.token, own)).toBe(401)
  const profile = await page.goto(`${origin}/@${member.username}`)
  expect([404, 410]).toContain(profile?.status())
}

/** Flows of the pages about signing in and about the account, by the path of their page. */
export const accountFlows: Readonly<Record<string, Flow>> = {
  '/oauth/authorized_applications': apps,
  '/auth/edit': sessions,
  '/auth/edit/email': email,
  '/auth/edit/password': passwords,
  '/settings/strikes': strikes,
  '/settings/archive': archive,
  '/settings/migration': migration,
  '/settings/delete': deletion,
}
