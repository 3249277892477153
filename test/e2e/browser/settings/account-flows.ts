import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect, inject } from 'vitest'
import * as z from 'zod'
import { hangLimit } from '../../../support/hang-limit'
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
  const pushed = async () => statusOf(token, '/api/v1/push/subscription')
  const stopped = 'The device no longer gets push notifications.'
  await pressFor(page, { button: 'Stop Nest', notice: stopped, effect: pushed })
  expect(await pushed()).toBe(404)
  expect(await statusOf(token, own)).toBe(200)
  const line = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Nest' }) })
  await line.locator('summary', { hasText: 'Revoke' }).click()
  const button = line.getByRole('button', { name: 'Revoke access' })
  const revoked = 'The application can no longer use your account.'
  await pressFor(page, { button, notice: revoked, effect: async () => statusOf(token, own) })
  expect(await statusOf(token, own)).toBe(401)
}

const sessions: Flow = async ({ page, browser, member, person }) => {
  const window = await newWindows(browser)
  const other = await window.context.newPage()
  await signIn(other, member, '/auth/edit')
  const visitors = [new Visitor(), new Visitor()]
  for (const visitor of visitors) await signInTo(visitor, member, '/auth/edit')
  const signedIn = async () => {
    await other.goto(`${origin}/auth/edit`)
    const opened = await Promise.all(visitors.map((visitor) => visitor.open('/auth/edit')))
    return [other.url(), ...opened.map(({ url }) => url.href)].filter((url) => url === `${origin}/auth/edit`)
      .length
  }
  await page.reload()
  await confirmFor(page, 'Sign out Chrome', {
    button: 'Sign out that browser',
    notice: 'That browser is signed out.',
    effect: signedIn,
  })
  expect(await signedIn()).toBe(2)
  expect(new URL(other.url()).pathname).toBe('/auth/sign_in')
  const all = 'Sign out all other browsers…'
  const out = 'All other browsers are signed out.'
  await confirmFor(page, all, { button: 'Sign out all others', notice: out, effect: signedIn })
  expect(await signedIn()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain(all)
  expect(await statusOf(person.token, own)).toBe(200)
  await window.context.close()
}

const email: Flow = async ({ page, member }) => {
  const next = `new-${member.email}`
  await page.getByLabel('New e-mail address').fill(next)
  await page.getByLabel('Your password').fill('wrong')
  await pressWrong(page, 'Change address', 'current_password')
  expect(await page.getByLabel('New e-mail address').inputValue()).toBe(next)
  await page.getByLabel('Your password').fill(member.password)
  const elsewhere = new Visitor()
  await signInTo(elsewhere, member, '/auth/edit')
  // A new address signs other browsers out.
  const led = async () => (await elsewhere.open('/auth/edit')).url.pathname
  const notice = 'Your e-mail address is changed.'
  await pressFor(page, { button: 'Change address', notice, effect: led })
  expect(await page.locator('main').innerText()).toContain(next)
  const fresh = await signInTo(new Visitor(), { ...member, username: next }, '/auth/edit')
  expect(fresh.url.pathname).toBe('/auth/edit')
}

const passwords: Flow = async ({ page, member, person }) => {
  const next = `${member.password}-2`
  await page.getByLabel('Current password').fill(member.password)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm new password').fill('something else')
  await pressWrong(page, 'Change password', 'password_confirmation')
  await page.getByLabel('Current password').fill(member.password)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm new password').fill(next)
  await page.getByLabel('Sign out all apps, too').check()
  const done = 'Your password is changed. All other browsers are signed out.'
  const effect = async () => statusOf(person.token, own)
  await pressFor(page, { button: 'Change password', notice: done, effect })
  expect(await statusOf(person.token, own)).toBe(401)
  expect((await signInTo(new Visitor(), member, '/auth/edit')).url.pathname).toBe('/auth/sign_in')
  const fresh = await signInTo(new Visitor(), { ...member, password: next }, '/auth/edit')
  expect(fresh.url.pathname).toBe('/auth/edit')
}

const strikes: Flow = async ({ page, client, person, member }) => {
  const moderator = await newStaff('owner')
  const { action } = mastoOf(moderator).v1.admin.accounts.$select(person.id)
  await action.create({ type: 'silence', text: 'Too loud at night' })
  await page.reload()
  expect(await page.locator('main').innerText()).toContain('Too loud at night')
  const warned = async () => {
    const [notification] = await client.v1.notifications.list({ types: ['moderation_warning'] })
    return JSON.stringify(notification ?? null)
  }
  // The notification of the strike comes by a job.
  await expect.poll(warned, hangLimit).toMatch(/Too loud at night/)
  const noticed = page.getByText('The moderators have decided about your account')
  await page.goto(`${origin}/auth/edit`)
  await noticed.waitFor()
  await page.getByRole('link', { name: 'Read the decision' }).click()
  await page.waitForURL('**/settings/strikes')
  expect(await noticed.count()).toBe(0)
  const seen = 'Your other pages no longer show the notice. The decision stays here.'
  const elsewhere = new Visitor()
  const shown = async () =>
    (await signInTo(elsewhere, member, '/auth/edit')).text.includes('The moderators have decided')
  await pressFor(page, { button: 'I have read this', notice: seen, effect: shown })
  await page.locator('summary', { hasText: 'Appeal' }).click()
  await page.getByLabel('Why the decision is wrong').fill('I am an owl')
  await pressFor(page, {
    button: 'Send the appeal',
    notice: 'Your appeal has been sent to the moderators.',
    effect: warned,
  })
  expect(await page.locator('main').innerText()).toContain('I am an owl')
  await expect.poll(warned, hangLimit).toMatch(/I am an owl/)
}

const archive: Flow = async ({ page, client, member }) => {
  await client.v1.statuses.create({ status: 'Kept for ever' })
  // The server of these tests sends no mail, and promises none.
  const others = new Visitor()
  const offered = async () =>
    (await signInTo(others, member, '/settings/archive')).text.includes('Request your archive')
  const notice = 'Your archive is being made. Come back to this page for it.'
  await pressFor(page, { button: 'Request your archive', notice, effect: offered })
  const ready = async () => {
    await page.goto(`${origin}/settings/archive`)
    return page.getByRole('link', { name: 'Download' }).count()
  }
  await expect.poll(ready, hangLimit).toBe(1)
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const tar = gunzipSync(await readFile(await (await coming).path())).toString('latin1')
  expect(tar).toContain('outbox.json')
  expect(tar).toContain('Kept for ever')
  expect(await page.getByRole('button', { name: 'Request your archive' }).count()).toBe(0)
}

/** Other names of an account, as its actor tells other servers. */
async function aliasesOf(username: string): Promise<unknown> {
  const headers = { Accept: 'application/activity+json' }
  const actor: unknown = await (await fetch(`${origin}/users/${username}`, { headers })).json()
  return Actor.parse(actor).alsoKnownAs
}

const Actor = z.object({ alsoKnownAs: z.array(z.string()).default([]) })

const migration: Flow = async ({ page, browser, client, member, person }) => {
  const newcomer = new Visitor()
  const target = await signUp(newcomer)
  const window = await newWindows(browser)
  const cookies = [...newcomer.cookies].map(([name, value]) => ({ name, value, url: origin }))
  await window.context.addCookies(cookies)
  const there = await window.context.newPage()
  await there.goto(`${origin}/settings/migration`)
  await there.getByLabel('Your old account').fill(`${member.username}@${domain}`)
  const named = 'The alias is added. Now start the move from your old account.'
  await pressFor(there, { button: 'Add', notice: named, effect: async () => aliasesOf(target.username) })
  await window.context.close()

  await page.getByLabel('Your old account').fill('nobody at all')
  await pressWrong(page, 'Add', 'alias')
  await page.getByLabel('Your old account').fill(target.username)
  const aliases = async () => aliasesOf(member.username)
  await pressFor(page, { button: 'Add', notice: named, effect: aliases })
  await pressFor(page, {
    button: `Remove @${target.username}`,
    notice: 'The alias is removed.',
    effect: aliases,
  })
  await page.getByLabel('Your new account').fill(`${target.username}@${domain}`)
  await page.getByLabel('Your password').fill('wrong')
  await pressWrong(page, 'Move followers', 'current_password')
  expect(await page.getByLabel('Your new account').inputValue()).toBe(`${target.username}@${domain}`)
  await page.getByLabel('Your password').fill(member.password)
  const moved = async () => (await client.v1.accounts.$select(person.id).fetch()).moved?.username
  const away = 'Your account has moved. Your followers are being moved.'
  await pressFor(page, { button: 'Move followers', notice: away, effect: moved })
  expect(await moved()).toBe(target.username)
  const staying = 'Redirect removed.'
  await confirmFor(page, 'Remove redirect…', {
    button: 'Remove redirect',
    notice: staying,
    effect: moved,
  })
  expect(await moved()).toBeUndefined()
}

const deletion: Flow = async ({ page, member, person }) => {
  await page.getByLabel('Your password').fill('wrong')
  await pressWrong(page, 'Delete my account', 'current_password')
  await page.getByLabel('Your password').fill(member.password)
  const effect = async () => statusOf(person.token, own)
  await pressFor(page, { button: 'Delete my account', notice: 'Your account is deleted.', effect })
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
