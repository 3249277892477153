import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { users } from '../../src/db/schema'
import { createAppeal } from '../../src/domain/moderation/appeal'
import { settingsPages } from '../../src/web/pages/settings'
import { as } from '../support/as'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { given } from '../support/given'
import { givenStaff } from '../support/given-staff'
import { givenStrike } from '../support/given-strike'
import { givenMember, password, signedIn } from '../support/members'
import { context } from '../support/test-app'

const userOf = ({ id }: { readonly id: number }) =>
  context().db.select().from(users).where(eq(users.accountId, id)).get()

const publicPaths = ['/about', '/about/rules', '/public/local', '/explore', '/@nobody']
const openPaths = settingsPages.filter(({ access }) => access === 'signed-in').map(({ path }) => path)

describe('a member pending approval or confirmation', () => {
  it.each([
    ['approval', { approved: false }, 'Your account is waiting for approval', 'You asked to join on'],
    ['confirmation', { confirmedAt: null }, 'Your e-mail address is not confirmed yet', 'You signed up on'],
  ] as const)(
    'every open page tells a member pending %s the date and the next step',
    async (_, user, title, since) => {
      const createdAt = new Date('2026-10-20T08:00:00Z')
      const { browser } = await signedIn({ user: { ...user, createdAt } })
      expect(openPaths.length).toBeGreaterThan(8)
      for (const path of [...publicPaths, ...openPaths]) {
        const { html, headers } = await browser.get(path)
        const text = textOf(html)
        expect([path, text.includes(title), text.includes(since)]).toEqual([path, true, true])
        expect(text).toContain('20 Oct 2026')
        for (const to of ['/auth/edit', '/auth/sign_out', '/settings/delete'])
          expect([path, html.includes(`href="${to}"`)]).toEqual([path, true])
        expect([path, headers.get('cache-control')]).toEqual([path, 'private, no-store'])
      }
    },
  )

  it('pages that are not open yet show the notice once, with the same links', async () => {
    for (const user of [{ approved: false }, { confirmedAt: null }]) {
      const { browser } = await signedIn({ user })
      const { status, html } = await browser.get('/settings/profile')
      expect(status).toBe(403)
      expect(html).not.toContain('account-notice')
      expect(textOf(html)).toContain('You signed up on')
      for (const to of ['/auth/edit', '/auth/sign_out', '/settings/delete'])
        expect(html).toContain(`href="${to}"`)
    }
  })

  it('a pending member can delete the request', async () => {
    const { browser, member } = await signedIn({ user: { approved: false } })
    const sent = await browser.fill('/settings/delete', { current_password: password })
    expect(sent.location).toBe('/auth/sign_in?done=deleted')
    expect(await userOf(member)).toBeUndefined()
  })
})

describe('the first steps', () => {
  it('the first sign-in after the approval leads to the first steps, once', async () => {
    const member = await givenMember({ user: { approved: false, firstStepsDue: true } })
    const browser = new Browser()
    expect((await browser.signIn(member.username, password)).location).toBe('/home')
    expect(textOf((await browser.get('/start')).html)).not.toContain('Say who you are')
    await as(await givenStaff({ permissions: ['manageUsers'] })).post(
      `/api/v1/admin/accounts/${member.id}/approve`,
    )

    // Signed in already: the pages lead there.
    const waitedFor = await browser.get('/auth/edit')
    expect(textOf(waitedFor.html)).toContain('Your account is ready First steps')

    const other = new Browser()
    expect((await other.signIn(member.username, password)).location).toBe('/start')
    const { html } = await other.get('/start')
    expect(textOf(html)).toContain('Say who you are')
    expect(html).not.toContain('account-notice')
    expect((await userOf(member))?.firstStepsDue).toBe(false)
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
    expect((await browser.get('/auth/edit')).html).not.toContain('account-notice')
  })

  it('the first steps do not come before the page that a member requested', async () => {
    const member = await givenMember({ user: { firstStepsDue: true } })
    const browser = new Browser()
    expect((await browser.signIn(member.username, password, '/settings/filters')).location).toBe(
      '/settings/filters',
    )
    expect((await userOf(member))?.firstStepsDue).toBe(true)
  })

  it('a member who signs up without approval sees the first steps as well', async () => {
    const { body } = await as(null).get('/api/v2/instance')
    expect(Object(body).registrations.enabled).toBe(true)
    const username = `newcomer${context().ids.next()}`.slice(0, 28)
    const sent = await new Browser().fill('/auth/sign_up', {
      username,
      email: `${username}@example.test`,
      password: 'alder-and-birch',
      password_confirmation: 'alder-and-birch',
      agreement: 'true',
    })
    expect([200, 303]).toContain(sent.status)
    const email = `${username}@example.test`
    const found = await context().db.select().from(users).where(eq(users.email, email)).get()
    expect(found?.firstStepsDue).toBe(true)
  })
})

describe('a strike', () => {
  const title = 'The moderators have decided about your account'

  it('every page announces a strike until the member confirms it', async () => {
    const { browser, member } = await signedIn()
    const { browser: stranger } = await signedIn()
    await givenStrike(member, { text: 'Too many <seeds>' })
    for (const path of [
      '/home',
      `/@${member.username}`,
      '/auth/edit',
      '/settings/profile',
      '/settings/filters',
    ]) {
      const { html } = await browser.get(path)
      expect([path, textOf(html).includes(title)]).toEqual([path, true])
      expect(html).toContain('<a href="/settings/strikes">')
      expect(textOf(html)).not.toContain('Too many <seeds>')
      for (const other of [stranger, new Browser()])
        expect([path, (await other.get(path)).html.includes(title)]).toEqual([path, false])
    }
    const page = await browser.get('/settings/strikes')
    expect(page.html).not.toContain(title)
    const done = await browser.fill('/settings/strikes', {}, { action: '/settings/strikes/seen' })
    expect(done.location).toBe('/settings/strikes?done=seen')
    expect(textOf((await browser.get('/auth/edit')).html)).not.toContain(title)
    expect((await browser.get('/settings/strikes')).html).not.toContain('/settings/strikes/seen')
    expect(textOf((await browser.get('/settings/strikes')).html)).toContain('Too many <seeds>')
  })

  it('an appealed strike is not announced', async () => {
    const { browser, member } = await signedIn()
    const strikeId = await givenStrike(member, { action: 'silence' })
    await createAppeal(context(), member.id, { strikeId, text: 'It was not me' })
    expect((await browser.get('/auth/edit')).html).not.toContain(title)
  })

  it('a strike stays announced where an older one is confirmed, and where another member tries', async () => {
    const { browser, member } = await signedIn()
    const first = await givenStrike(member)
    const { html } = await browser.get('/settings/strikes')
    const fields = hiddenFields(html, '/settings/strikes/seen')
    expect(fields['strike']).toBe(String(first))
    const second = await givenStrike(member)
    await browser.post('/settings/strikes/seen', fields)
    expect((await userOf(member))?.strikeToSee).toBe(second)
    const { browser: other } = await signedIn()
    const token = hiddenFields((await other.get('/settings/delete')).html, '/settings/delete')
    await other.post('/settings/strikes/seen', { ...token, strike: String(second) })
    expect((await userOf(member))?.strikeToSee).toBe(second)
    for (const strike of ['', 'nonsense', '-1', '1e400'])
      expect((await browser.post('/settings/strikes/seen', { ...fields, strike })).status).toBe(404)
    expect((await browser.post('/settings/strikes/seen', { strike: String(second) })).status).toBe(422)
    expect((await userOf(member))?.strikeToSee).toBe(second)
  })

  it('a strike without notification is not announced', async () => {
    const { browser, member } = await signedIn()
    await givenStrike(member, { isAnnounced: false })
    expect((await browser.get('/auth/edit')).html).not.toContain(title)
    expect((await userOf(member))?.strikeToSee).toBeNull()
  })

  it('announcing a strike costs no extra round trip', async () => {
    const { browser, member } = await signedIn()
    const { costs } = await browser.get('/auth/edit')
    await givenStrike(member)
    const { costs: noticed } = await browser.get('/auth/edit')
    expect([noticed.trips, noticed.statements]).toEqual([costs.trips, costs.statements])
  })

  it('no page announces the strike of a remote account', async () => {
    const remote = await given.remoteAccount()
    await givenStrike(remote, { isAnnounced: false })
    expect(await userOf(remote)).toBeUndefined()
  })
})
