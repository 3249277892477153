import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { fakeMailer } from '../support/fake-mailer'
import { password, signedIn } from '../support/members'

const next = 'another long enough one'
const isSignedIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200

async function twoBrowsers() {
  const { member, browser } = await signedIn()
  const other = new Browser()
  await other.signIn(member.username, password)
  return { member, browser, other }
}

describe('all other sessions', () => {
  const path = '/auth/sessions/revoke_others'

  it('end by one button, and their browsers are known no longer', async () => {
    const { member, browser, other } = await twoBrowsers()
    await browser.post(path, hiddenFields((await browser.get('/auth/edit')).html, path))
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
    const office = fakeMailer()
    const again = new Browser(office.overrides)
    for (const [name, value] of other.jar) again.plant(name, value)
    const headers = { 'cf-connecting-ip': '203.0.113.77' }
    const page = await again.fill('/auth/sign_in', { username: member.username, password }, { headers })
    expect(page.location).toBe('/auth/sign_in/verify')
  })

  it('have no such button where there are none', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/auth/edit')).html).not.toContain(path)
  })

  it('of somebody else stay', async () => {
    const [alice, bob] = [await signedIn(), await signedIn()]
    const { csrf_token = '' } = hiddenFields((await alice.browser.get('/auth/edit')).html, '/auth/sign_out')
    await alice.browser.post(path, { csrf_token })
    expect(await isSignedIn(bob.browser)).toBe(true)
  })
})

const changes = [
  [
    'password',
    '/auth/edit/password',
    { current_password: password, password: next, password_confirmation: next },
  ],
  ['e-mail address', '/auth/edit/email', { current_password: password, email: '' }],
] as const

describe.each(changes)('a change of the %s', (_, path, fields) => {
  const typed = (email: string) => ('email' in fields ? { ...fields, email: `new-${email}` } : { ...fields })

  it('is mailed to the old address, and ends all other sessions but no application', async () => {
    const { member, browser, other } = await twoBrowsers()
    const office = fakeMailer()
    await browser.fill(path, typed(member.email), { overrides: office.overrides })
    expect(JSON.stringify(office.queued)).not.toContain('@')
    const mail = (await office.deliver()).find(({ to }) => to === member.email)
    expect(mail?.to).toBe(member.email)
    expect(mail?.text).toMatch(
      /The password of your account .* was changed|Another e-mail address was entered/,
    )
    expect(mail?.text).not.toContain(next)
    expect(mail?.text).not.toContain('new-')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it('ends applications where that is ticked', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { ...typed(member.email), sign_out_apps: 'true' })
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(401)
  })

  it('that is refused ends nothing, and is mailed to nobody', async () => {
    const { member, browser, other } = await twoBrowsers()
    const office = fakeMailer()
    const wrong = { ...typed(member.email), current_password: 'wrong', sign_out_apps: 'true' }
    const page = await browser.fill(path, wrong, { overrides: office.overrides })
    expect([page.status, textOf(page.html).includes('Current password is wrong.')]).toEqual([422, true])
    expect([await isSignedIn(other), await office.deliver()]).toEqual([true, []])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
  })
})
