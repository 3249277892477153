import { describe, expect, it } from 'vitest'
import { Browser, textOf } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { type Client, registerClient } from '../support/oauth'
import { withSettings } from '../support/settings'
import { member, pageForm } from '../support/sign-up'
import { context } from '../support/test-app'

/** Sentences that no page may show where no mail was sent. */
const promise =
  /check your mail|(we|have|was|were) sent|on its way|get an e-mail|hear by e-mail|among the spam/i

function authorizePath({ clientId, redirectUri }: Client): string {
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read write',
  }
  return `/oauth/authorize?${new URLSearchParams(params)}`
}

describe('a server that sends no mail', () => {
  const browser = new Browser()

  it('shows that no confirmation is needed, and confirms', async () => {
    const waiting = await given.account({ user: { confirmedAt: null } })
    const form = textOf((await browser.get('/auth/confirmation/new')).html)
    const page = await browser.fill('/auth/confirmation/new', { email: waiting.email })
    expect(form).toContain('fieldfare.test sends no e-mail, so it takes addresses as confirmed.')
    expect(textOf(page.html)).toContain(
      `fieldfare.test sends no e-mail: an account with the address ${waiting.email} is confirmed without one.`,
    )
    for (const text of [form, textOf(page.html)]) expect(text).not.toMatch(promise)
    expect((await member(waiting.username))?.confirmedAt).not.toBeNull()
  })

  it('an unconfirmed user confirms with a button after signing in, and continues to the app', async () => {
    const client = await registerClient()
    const { member: person, browser: own } = await signedIn({ user: { confirmedAt: null } })
    const stopped = await own.get(authorizePath(client))
    expect(stopped.status).toBe(403)
    expect(textOf(stopped.html)).toContain(`Your address ${person.email} is not confirmed yet.`)
    expect(textOf(stopped.html)).not.toMatch(promise)
    await own.fill(authorizePath(client), {}, { action: '/auth/confirmation/new' })
    expect((await own.get(authorizePath(client))).status).toBe(200)
  })

  it('promises no answer by mail after a request to join', async () => {
    await withSettings({ registrations: 'approval' }, async () => {
      const form = await browser.get('/auth/sign_up')
      const done = await new Browser().fill('/auth/sign_up', pageForm({ reason: 'I watch birds' }))
      for (const { html } of [form, done]) {
        expect(textOf(html)).toContain('This server sends no e-mail: come back and sign in to see whether')
        expect(textOf(html)).not.toMatch(promise)
      }
    })
  })

  it('promises no mail after a confirmation by an older link', async () => {
    const mailer = fakeMailer()
    const waiting = await given.account({ user: { confirmedAt: null, approved: false } })
    await new Browser(mailer.overrides).fill('/auth/confirmation/new', { email: waiting.email })
    const [mail] = await mailer.deliver()
    const page = await browser.get(linkIn(mail))
    expect(textOf(page.html)).toContain('Address confirmed')
    expect(textOf(page.html)).not.toMatch(promise)
  })

  it('sends no link for a password, and names the contact', async () => {
    const alice = await given.account()
    const sent = await postForgotten(alice.email)
    expect(textOf(sent)).toContain('fieldfare.test sends no e-mail, so it cannot send you a reset link.')
    expect(textOf(sent)).not.toMatch(promise)
  })

  it('shows no sent mail because of a query parameter', async () => {
    const { browser: own } = await signedIn()
    expect(textOf((await own.get('/auth/edit?done=email-sent')).html)).not.toMatch(promise)
  })
})

/** The form of a server that sent mail, opened before it stopped to. */
async function postForgotten(email: string): Promise<string> {
  const browser = new Browser()
  const mailer = fakeMailer()
  const form = await browser.get('/auth/password/new', { overrides: mailer.overrides })
  const csrf = /name="csrf_token" value="([^"]*)"/.exec(form.html)?.[1] ?? ''
  return (await browser.post('/auth/password/new', { csrf_token: csrf, email })).html
}

describe('a server that sends mail', () => {
  it('says after sign-up that a link was sent, and mentions another one only to a user who waits for it', async () => {
    const mailer = fakeMailer()
    const browser = new Browser(mailer.overrides)
    const fields = pageForm()
    const first = await browser.fill('/auth/sign_up', fields)
    expect(textOf(first.html)).toContain(`A link is on its way to ${fields.email} .`)
    expect(await mailer.deliver()).toMatchObject([{ to: fields.email }])
    const again = await browser.fill('/auth/confirmation/new', { email: 'nobody@mail.test' })
    expect(textOf(again.html)).toContain('If an account with the address nobody@mail.test waits')
    expect(await mailer.deliver()).toEqual([])
  })

  it('an unconfirmed user who signs in sees how to find the mail or request another', async () => {
    const mailer = fakeMailer()
    const client = await registerClient()
    const { browser } = await signedIn({ user: { confirmedAt: null } })
    const page = await browser.get(authorizePath(client), { overrides: mailer.overrides })
    expect(page.status).toBe(403)
    expect(textOf(page.html)).toContain('Open the link in the e-mail we sent, or send it again.')
  })
})

describe('after sign-up', () => {
  it('the next page names the account, gives the address for apps, and links apps', async () => {
    const browser = new Browser()
    const fields = pageForm()
    expect((await browser.fill('/auth/sign_up', fields)).location).toBe('/start')
    const { html, headers, status } = await browser.get('/start')
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(textOf(html)).toContain(`@${fields.username} @fieldfare.test`)
    expect(html).toContain('<code class="code-to-copy">fieldfare.test</code>')
    for (const app of [
      'joinmastodon.org/apps',
      'tapbots.com/ivory',
      'tusky.app',
      'elk.zone',
      'phanpy.social',
    ])
      expect(html).toContain(`href="https://${app}`)
  })

  it('requires sign-in', async () => {
    expect((await new Browser().get('/start')).location).toBe('/auth/sign_in?return_to=%2Fstart')
  })

  it('opens for a just-confirmed user as well', async () => {
    const mailer = fakeMailer()
    const browser = new Browser(mailer.overrides)
    await browser.fill('/auth/sign_up', pageForm())
    const [mail] = await mailer.deliver()
    expect((await browser.get(linkIn(mail))).html).toContain(
      '<code class="code-to-copy">fieldfare.test</code>',
    )
  })

  it('names the host of the server where handles have another domain', async () => {
    const { config } = context()
    const split = { ...config, domain: 'birds.test', ownDomains: ['birds.test', 'fieldfare.test'] }
    const { html } = await new Browser({ config: split }).get('/')
    expect(html).toContain('<code class="code-to-copy">fieldfare.test</code>')
  })
})
