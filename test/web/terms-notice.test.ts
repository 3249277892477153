import { afterEach, describe, expect, it } from 'vitest'
import { settings, termsOfService } from '../../src/db/schema'
import { notifyOfTerms, scheduleTerms } from '../../src/domain/instance/terms'
import { operator } from '../../src/domain/policy/permissions'
import { Browser, textOf } from '../support/browser'
import { givenMember, password, signedIn } from '../support/members'
import { registerClient } from '../support/oauth'
import { clock, context } from '../support/test-app'

const path = '/settings/terms'
const day = 86_400_000
const dayIn = (days: number) => new Date(clock.now().getTime() + days * day).toISOString().slice(0, 10)
const noticeFor = (page: string) => `${path}?${new URLSearchParams({ return_to: page })}`

async function announce(effectiveOn = dayIn(30)) {
  clock.advance(1_000)
  const terms = { text: 'Be **kind**.', changelog: 'We *added* kindness.', effectiveOn, notify: true }
  await scheduleTerms(context(), operator, terms)
  return effectiveOn
}

describe('the page about new terms', () => {
  afterEach(async () => {
    await context().db.delete(termsOfService)
    await context().db.delete(settings)
  })

  it('the page about new terms is shown once before the requested page, and links to it', async () => {
    const { browser } = await signedIn()
    const effectiveOn = await announce()
    expect((await browser.get('/settings/preferences?x=1')).location).toBe(
      noticeFor('/settings/preferences?x=1'),
    )
    const page = await browser.get(noticeFor('/settings/preferences?x=1'))
    expect(page.status).toBe(200)
    expect(page.html).toContain('<p>We <em>added</em> kindness.</p>')
    expect(page.html).toContain(`href="/terms-of-service/${effectiveOn}"`)
    const seen = await browser.fill(noticeFor('/settings/preferences?x=1'), {}, { action: path })
    expect([seen.status, seen.location]).toEqual([303, '/settings/preferences?x=1'])
    expect((await browser.get('/settings/preferences')).status).toBe(200)
    expect(textOf((await browser.get(path)).html)).toContain('You have seen the current terms.')
  })

  it('the page about new terms is shown before an application is authorized, and continues with it', async () => {
    const alice = await givenMember()
    await announce()
    const client = await registerClient()
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
    })
    const consent = `/oauth/authorize?${query}`
    const browser = new Browser()
    expect((await browser.signIn(alice.username, password, consent)).location).toBe(consent)
    expect((await browser.get(consent)).location).toBe(noticeFor(consent))
    expect((await browser.fill(noticeFor(consent), {}, { action: path })).location).toBe(consent)
    expect((await browser.get(consent)).status).toBe(200)
  })

  it('does not prevent members from exporting data and leaving, and loses no form', async () => {
    const { browser } = await signedIn()
    const form = await browser.get('/settings/notifications')
    await announce()
    for (const open of ['/settings/delete', '/settings/imports', '/settings/two-factor', '/settings/strikes'])
      expect([open, (await browser.get(open)).status]).toEqual([open, 200])
    const [, token = ''] = /name="csrf_token" value="([^"]*)"/.exec(form.html) ?? []
    const saved = await browser.post('/settings/notifications', { csrf_token: token })
    expect([saved.status, saved.location]).toEqual([303, '/settings/notifications?done=mail'])
  })

  it('redirects to this server only', async () => {
    const { browser } = await signedIn()
    await announce()
    const seen = await browser.fill(noticeFor('//evil.test/'), {}, { action: path })
    expect(seen.location).toBe('/home')
  })

  it('the page about new terms is not shown to members who joined under these terms, nor for unannounced terms', async () => {
    await announce()
    clock.advance(1_000)
    const { browser } = await signedIn()
    expect((await browser.get('/auth/edit')).status).toBe(200)
    await scheduleTerms(context(), operator, {
      text: 'More.',
      changelog: '',
      effectiveOn: dayIn(60),
      notify: false,
    })
    expect((await browser.get('/auth/edit')).status).toBe(200)
    clock.advance(1_000)
    await notifyOfTerms(context(), operator, dayIn(60))
    expect((await browser.get('/auth/edit')).location).toBe(noticeFor('/auth/edit'))
  })

  it('disappears with a cancelled version', async () => {
    const { browser } = await signedIn()
    await announce()
    expect((await browser.get('/auth/edit')).status).toBe(303)
    await context().db.delete(termsOfService)
    expect((await browser.get('/auth/edit')).status).toBe(200)
  })
})
