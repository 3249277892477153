import { describe, expect, it } from 'vitest'
import { ownerRole } from '../../src/domain/policy/owners'
import { isSecretField } from '../../src/web/components/typed-values'
import { settingsPages } from '../../src/web/pages/settings'
import { as } from '../support/as'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { password, signedIn } from '../support/members'

const path = '/settings/profile'
const typed = { display_name: 'Ada Thrush', note: 'Birds & words', field_name_1: 'Site', locked: 'true' }

/** A form that is sent after its session was ended elsewhere. */
async function sentTooLate(at = path, fields: Readonly<Record<string, string>> = typed) {
  const { member, browser } = await signedIn()
  const form = hiddenFields((await browser.get(at)).html, at)
  const other = new Browser()
  await other.signIn(member.username, password)
  const revoke = '/auth/sessions/revoke_others'
  await other.post(revoke, hiddenFields((await other.get('/auth/edit')).html, revoke))
  return { member, browser, page: await browser.post(at, { ...form, ...fields }) }
}

describe('a form whose session has ended', () => {
  it('redirects to sign-in, and back to typed values that are not saved yet', async () => {
    const { member, browser, page } = await sentTooLate()
    expect(page.location).toBe(`/auth/sign_in?${new URLSearchParams({ return_to: path })}`)
    expect(`${page.location}${page.html}`).not.toContain('Ada')
    const back = await browser.signIn(member.username, password, path)
    expect(back.location).toBe(path)
    const { status, html } = await browser.get(path)
    expect(status).toBe(200)
    expect(textOf(html)).toContain('You were signed out before this was sent.')
    for (const text of ['value="Ada Thrush"', 'Birds &amp; words', 'value="Site"'])
      expect(html).toContain(text)
    expect(html).toMatch(/name="locked"[^>]* checked/)
    expect((await as(member).get('/api/v1/profile')).body).toMatchObject({ display_name: '', locked: false })
    expect((await browser.get(path)).html).not.toContain('Ada Thrush')
  })

  it('keeps no password and shows nothing on other pages', async () => {
    const fields = { email: 'next@mail.test', current_password: password }
    const { member, browser } = await sentTooLate('/auth/edit/email', fields)
    const [packed = ''] = (browser.jar.get('__Host-draft') ?? '').split('.')
    expect(packed).not.toBe('')
    const stream = new Blob([Buffer.from(packed, 'base64url')]).stream()
    const kept = await new Response(stream.pipeThrough(new DecompressionStream('deflate-raw'))).text()
    expect(kept).toContain('next@mail.test')
    expect(kept).not.toContain(password)
    await browser.signIn(member.username, password)
    expect(textOf((await browser.get(path)).html)).not.toContain('You were signed out')
    expect((await browser.get('/auth/edit/email')).html).toContain('value="next@mail.test"')
  })

  it('keeps typed values without a session cookie, if the browser says that the form is from this site', async () => {
    const { member, browser } = await signedIn()
    const form = { ...hiddenFields((await browser.get(path)).html, path), ...typed }
    const out = new Browser()
    const origin = 'https://fieldfare.test'
    const page = await out.post(path, form, { headers: { origin } })
    expect(page).toMatchObject({
      status: 302,
      location: `/auth/sign_in?${new URLSearchParams({ return_to: path })}`,
    })
    const signIn = await out.get(page.location ?? '')
    expect(textOf(signIn.html)).toContain('Your text is kept.')
    expect(textOf((await out.get('/auth/sign_in?return_to=/auth/edit')).html)).not.toContain(
      'Your text is kept',
    )
    await out.signIn(member.username, password, path)
    expect((await out.get(path)).html).toContain('value="Ada Thrush"')
    expect((await as(member).get('/api/v1/profile')).body).toMatchObject({ display_name: '' })
    for (const headers of [{}, { origin: 'https://other.example' }, { origin: 'null' }]) {
      const stranger = new Browser()
      expect([403, 422]).toContain((await stranger.post(path, form, { headers })).status)
      expect(stranger.jar.has('__Host-draft')).toBe(false)
    }
    // A button has nothing to keep, and a signed-in user needs the token.
    const button = '/auth/sessions/revoke_others'
    expect((await new Browser().post(button, {}, { headers: { origin } })).status).toBe(422)
    const own = await browser.post(path, { ...form, csrf_token: 'wrong' }, { headers: { origin } })
    expect([own.status, browser.jar.has('__Host-draft')]).toEqual([422, false])
  })

  it('does not keep long forms, or forms from another site', async () => {
    const long = Array.from({ length: 4_000 }, (_, at) => (at * 7_919).toString(36)).join(' ')
    const { browser } = await sentTooLate(path, { ...typed, note: long })
    expect(browser.jar.has('__Host-draft')).toBe(false)
    const stranger = new Browser()
    expect((await stranger.post(path, typed)).status).toBe(422)
    expect(stranger.jar.has('__Host-draft')).toBe(false)
  })
})

it('every password field of settings is treated as a secret', async () => {
  const { browser } = await signedIn({ user: { roleId: ownerRole } })
  const names: string[] = []
  for (const { path: at } of settingsPages)
    for (const [input] of (await browser.get(at)).html.matchAll(/<input[^>]*type="password"[^>]*>/g))
      names.push(/name="([^"]*)"/.exec(input)?.[1] ?? '')
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !isSecretField(name))).toEqual([])
})
