import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, users } from '../../src/db/schema'
import { saveRules } from '../../src/domain/instance/rules'
import { operator } from '../../src/domain/policy/permissions'
import { createEmailDomainBlock } from '../../src/domain/sign-up-blocks/email-domain-blocks'
import { createIpBlock } from '../../src/domain/sign-up-blocks/ip-blocks'
import { as } from '../support/as'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { given } from '../support/given'
import { password, signedIn } from '../support/members'
import { appToken, registerClient } from '../support/oauth'
import { withSettings } from '../support/settings'
import { apiForm, pageForm } from '../support/sign-up'
import { context } from '../support/test-app'

const exists = async (username: string) =>
  (await context().db.select().from(accounts).where(eq(accounts.username, username))).length > 0

describe('the sign-up page', () => {
  it('creates an account and signs in, where no mail is sent', async () => {
    const browser = new Browser()
    const fields = pageForm()
    const page = await browser.fill('/auth/sign_up', fields)
    expect(page.location).toBe('/start')
    expect(textOf((await browser.get('/auth/edit')).html)).toContain(`@${fields.username}`)
  })

  it('stores the language of the pages and the time zone, where Cloudflare knows it', async () => {
    const chosenBy = async (options: Parameters<Browser['fill']>[2]) => {
      const fields = pageForm()
      await new Browser().fill('/auth/sign_up', fields, options)
      const { locale, timeZone } = users
      const owner = eq(accounts.username, fields.username)
      const { db } = context()
      return db
        .select({ locale, timeZone })
        .from(users)
        .innerJoin(accounts, eq(accounts.id, users.accountId))
        .where(owner)
    }
    const headers = { 'accept-language': 'de-AT' }
    expect(await chosenBy({ headers, timeZone: 'Europe/Vienna' })).toEqual([
      { locale: 'de', timeZone: 'Europe/Vienna' },
    ])
    expect(await chosenBy({ timeZone: 'Mars/Base' })).toEqual([{ locale: 'en', timeZone: null }])
  })

  it('continues to the app that a visitor without an account came from', async () => {
    const browser = new Browser()
    const returnTo = '/oauth/authorize?client_id=x&state=a+b'
    const start = await browser.get(`/auth/sign_in?${new URLSearchParams({ return_to: returnTo })}`)
    const path = /href="(\/auth\/sign_up[^"]*)"/.exec(start.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const wrong = await browser.fill(path, pageForm({ agreement: '' }))
    expect(hiddenFields(wrong.html, '/auth/sign_up')).toMatchObject({ return_to: returnTo })
    expect((await browser.fill(path, pageForm())).location).toBe(returnTo)
  })

  it('redirects to no other server', async () => {
    const page = await new Browser().fill('/auth/sign_up?return_to=%2F%2Fevil.test', pageForm())
    expect(page.location).toBe('/start')
  })

  it('shares the limit of five in half an hour with the API, for a network', async () => {
    const browser = new Browser()
    const token = await appToken(await registerClient())
    const headers = { 'cf-connecting-ip': browser.ip }
    const byApi = async () => (await as(token).post('/api/v1/accounts', apiForm(), { headers })).status
    const byPage = async () => (await browser.fill('/auth/sign_up', pageForm({ agreement: '' }))).status
    expect([await byApi(), await byPage(), await byApi(), await byPage(), await byApi()]).toEqual([
      200, 422, 200, 422, 200,
    ])
    expect([await byApi(), await byPage()]).toEqual([429, 429])
  })

  it('creates no account from a blocked network, or with a blocked e-mail domain', async () => {
    const [blocked, name] = [new Browser(), pageForm().username]
    await createIpBlock(context(), operator, { ip: blocked.ip, severity: 'sign_up_block' })
    await createEmailDomainBlock(context(), operator, { domain: `${name}.test`, allowWithApproval: false })
    const [network, address] = [pageForm(), pageForm({ email: `a@${name}.test` })]
    expect((await blocked.fill('/auth/sign_up', network)).status).toBe(403)
    const page = await new Browser().fill('/auth/sign_up', address)
    expect([page.status, textOf(page.html)]).toEqual([
      422,
      expect.stringContaining('E-mail address is with a provider that is not allowed here.'),
    ])
    expect([await exists(network.username), await exists(address.username)]).toEqual([false, false])
  })

  it('shows the rules to accept', async () => {
    await saveRules(context(), operator, [{ text: 'Be kind to <birds>', hint: '' }])
    const page = await new Browser().get('/auth/sign_up')
    await saveRules(context(), operator, [])
    expect(textOf(page.html)).toContain('Be kind to <birds>')
    expect(page.html).not.toContain('<birds>')
  })

  it('shows errors by field, keeps typed values except the password, and creates nothing', async () => {
    const alice = await given.account()
    const fields = pageForm({
      username: alice.username,
      email: '"><script>',
      password: 'short',
      password_confirmation: 'short',
      agreement: '',
    })
    const page = await new Browser().fill('/auth/sign_up', fields)
    expect(page.status).toBe(422)
    const text = textOf(page.html)
    for (const words of [
      'Username has already been taken.',
      'E-mail address is not valid.',
      'Password is too short (minimum is 8 characters).',
      'Agreement must be accepted.',
    ])
      expect(text).toContain(words)
    expect(page.html).toContain(`value="${alice.username}"`)
    expect(page.html).not.toContain('<script')
    expect(page.html).not.toContain('short"')
  })

  it('the sign-up page requires the password twice', async () => {
    const fields = pageForm({ password_confirmation: 'something else' })
    const page = await new Browser().fill('/auth/sign_up', fields)
    expect(page.status).toBe(422)
    expect(textOf(page.html)).toContain('Confirm password is not the same as the password.')
    expect(await exists(fields.username)).toBe(false)
  })

  it('sends a link where mail is sent, which opens the account', async () => {
    const mailer = fakeMailer()
    const browser = new Browser(mailer.overrides)
    const fields = pageForm()
    const page = await browser.fill('/auth/sign_up', fields)
    expect(textOf(page.html)).toContain(`A link is on its way to ${fields.email}`)
    const [mail] = await mailer.deliver()
    const link = linkIn(mail)
    expect(mail?.to).toBe(fields.email)
    expect(textOf((await browser.get(link)).html)).toContain('Your e-mail address is confirmed')
    const again = await browser.get(link)
    expect(again.status).toBe(403)
    expect(textOf(again.html)).toContain('This link no longer works')
    expect((await browser.signIn(fields.username, password)).location).toBe('/start')
  })

  it('the sign-up page is closed when registrations are', async () => {
    await withSettings(
      { registrations: 'closed', registrationsMessage: 'Full of <b>birds</b>' },
      async () => {
        const browser = new Browser()
        const page = await browser.get('/auth/sign_up')
        expect(textOf(page.html)).toContain('Full of <b>birds</b>')
        const fields = pageForm()
        const csrf = hiddenFields((await browser.get('/auth/sign_in')).html, '/auth/sign_in')
        expect((await browser.post('/auth/sign_up', { ...csrf, ...fields })).status).toBe(403)
        expect(await exists(fields.username)).toBe(false)
      },
    )
  })

  it('new members wait where a moderator reads their reasons', async () => {
    await withSettings({ registrations: 'approval' }, async () => {
      const none = await new Browser().fill('/auth/sign_up', pageForm())
      const browser = new Browser()
      const page = await browser.fill('/auth/sign_up', pageForm({ reason: 'I watch birds' }))
      expect(textOf(none.html)).toContain("Reason can't be blank.")
      expect(textOf(page.html)).toContain('Waiting for approval')
    })
  })

  it('requires the date of birth where there is a minimum age', async () => {
    await withSettings({ minimumAge: 16 }, async () => {
      const young = await new Browser().fill('/auth/sign_up', pageForm({ date_of_birth: '2020-01-01' }))
      const old = await new Browser().fill('/auth/sign_up', pageForm({ date_of_birth: '1990-01-01' }))
      expect(textOf(young.html)).toContain('Date of birth is below the age limit of 16 years.')
      expect(old.location).toBe('/start')
    })
  })

  it('the sign-up page has no effect for a signed-in user', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/auth/sign_up')).location).toBe('/home')
  })
})

describe('requesting another confirmation', () => {
  it('gives the same answer for every address, and sends mail to pending accounts', async () => {
    const mailer = fakeMailer()
    const waiting = await given.account({ user: { confirmedAt: null } })
    const done = await given.account()
    const shown = async (email: string) => {
      const page = await new Browser(mailer.overrides).fill('/auth/confirmation/new', { email })
      const html = page.html.replaceAll(email, 'EMAIL').replaceAll(/csrf_token" value="[^"]*"/g, '')
      return { status: page.status, html }
    }
    const answers = [await shown(waiting.email), await shown(done.email), await shown('nobody@mail.test')]
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await mailer.deliver()).toMatchObject([{ to: waiting.email }])
  })

  it('requesting another confirmation refuses an invalid address', async () => {
    const page = await new Browser(fakeMailer().overrides).fill('/auth/confirmation/new', {
      email: 'nonsense',
    })
    expect(page.status).toBe(422)
  })
})
