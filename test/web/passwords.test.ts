import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { given } from '../support/given'
import { givenMember, password, signedIn } from '../support/members'
import { exchange, givenCode, registerClient } from '../support/oauth'
import { clock } from '../support/test-app'

const next = 'another long enough one'
const twice = { password: next, password_confirmation: next }
const canSignIn = async (username: string, secret: string) =>
  (await new Browser().signIn(username, secret)).status === 303
const isSignedIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200

describe('changing the password', () => {
  it('ends every other session, and keeps apps signed in', async () => {
    const { browser, member } = await signedIn()
    const other = new Browser()
    await other.signIn(member.username, password)
    const page = await browser.fill('/auth/edit/password', { current_password: password, ...twice })
    expect(page.location).toBe('/auth/edit?done=password')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
    expect(await canSignIn(member.username, password)).toBe(false)
    expect(await canSignIn(member.username, next)).toBe(true)
  })

  it.each([
    ['the old one is wrong', { current_password: 'wrong', ...twice }, 'Current password is wrong.'],
    [
      'the new one is short',
      { current_password: password, password: 'x', password_confirmation: 'x' },
      'is too short',
    ],
    [
      'they differ',
      { current_password: password, password: next, password_confirmation: 'x' },
      'not the same',
    ],
  ])('changing the password is refused when %s', async (_name, fields, words) => {
    const { browser, member } = await signedIn()
    const page = await browser.fill('/auth/edit/password', fields)
    expect(page.status).toBe(422)
    expect(textOf(page.html)).toContain(words)
    expect(await canSignIn(member.username, password)).toBe(true)
  })

  it('changing the password requires sign-in', async () => {
    expect((await new Browser().get('/auth/edit/password')).location).toMatch(/^\/auth\/sign_in/)
  })

  it('changing the password is recognised by password managers [T-771]', async () => {
    expect((await new Browser().get('/.well-known/change-password')).location).toBe('/auth/edit/password')
  })
})

describe('a forgotten password', () => {
  async function link(mailer: ReturnType<typeof fakeMailer>, email: string): Promise<string> {
    await new Browser(mailer.overrides).fill('/auth/password/new', { email })
    const mails = await mailer.deliver()
    expect(mails).toMatchObject([{ to: email }])
    return linkIn(mails[0])
  }

  const reset = (path: string, fields = twice) =>
    new Browser().fill(path, fields, { action: '/auth/password/edit' })

  it('the link in a mail replaces a forgotten password, and ends all sessions, tokens and codes [T-772]', async () => {
    const { browser, member } = await signedIn()
    const client = await registerClient()
    const code = await givenCode(client, member.id)
    const path = await link(fakeMailer(), member.email)
    const page = await reset(path)
    expect(page.location).toBe('/auth/sign_in?done=reset')
    expect(await isSignedIn(browser)).toBe(false)
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(401)
    expect((await exchange(client, code)).status).toBe(400)
    expect(await canSignIn(member.username, password)).toBe(false)
    expect(await canSignIn(member.username, next)).toBe(true)
  })

  it('the link for a forgotten password works once', async () => {
    const alice = await givenMember()
    const path = await link(fakeMailer(), alice.email)
    await reset(path)
    expect((await new Browser().get(path)).status).toBe(403)
  })

  it('the link for a forgotten password works for two hours', async () => {
    const alice = await givenMember()
    const path = await link(fakeMailer(), alice.email)
    const start = clock.now()
    clock.advance(7_200_000)
    const late = await new Browser().get(path)
    clock.set(start)
    expect(late.status).toBe(403)
    expect(textOf(late.html)).toContain('This link no longer works')
  })

  it('a newer link for a forgotten password invalidates the earlier one', async () => {
    const [mailer, alice] = [fakeMailer(), await givenMember()]
    const earlier = await link(mailer, alice.email)
    const later = await link(mailer, alice.email)
    expect((await new Browser().get(earlier)).status).toBe(403)
    expect((await new Browser().get(later)).status).toBe(200)
  })

  it('keeps the link when the new password is refused', async () => {
    const alice = await givenMember()
    const path = await link(fakeMailer(), alice.email)
    const short = await reset(path, { password: 'x', password_confirmation: 'x' })
    expect(short.status).toBe(422)
    expect((await reset(path)).status).toBe(303)
  })

  it('does not reveal which addresses have an account', async () => {
    const [mailer, alice] = [fakeMailer(), await givenMember()]
    const shown = async (email: string) => {
      const { status, html, costs } = await new Browser(mailer.overrides).fill('/auth/password/new', {
        email,
      })
      return { status, html: html.replaceAll(email, 'EMAIL'), atLeast: costs.trips > 1 }
    }
    const found = await shown(alice.email)
    expect(await shown('nobody@mail.test')).toEqual(found)
    expect(await mailer.deliver()).toHaveLength(1)
  })

  it('links that confirm addresses set no password', async () => {
    const mailer = fakeMailer()
    const alice = await given.account({ user: { confirmedAt: null } })
    await new Browser(mailer.overrides).fill('/auth/confirmation/new', { email: alice.email })
    const [mail] = await mailer.deliver()
    const token = new URL(linkIn(mail), 'https://x.test').searchParams.get('confirmation_token') ?? ''
    expect((await new Browser().get(`/auth/password/edit?reset_password_token=${token}`)).status).toBe(403)
  })

  it('names the contact where no mail is sent', async () => {
    const page = await new Browser().get('/auth/password/new')
    expect(textOf(page.html)).toContain('sends no e-mail')
  })
})
