import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { roles, users } from '../../src/db/schema'
import { baseRole } from '../../src/domain/policy/permissions'
import { totpCode } from '../../src/lib/totp'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { givenRole } from '../support/given-staff'
import { givenMember, password, signedIn } from '../support/members'
import { registerClient } from '../support/oauth'
import { secretIn } from '../support/shown-secret'
import { clock, context } from '../support/test-app'
import { givenTotp, sendTwoFactorForm, twoFactorPath } from '../support/two-factor'

async function requiringRole(): Promise<number> {
  const roleId = await givenRole()
  await context().db.update(roles).set({ requireTwoFactor: true }).where(eq(roles.id, roleId))
  return roleId
}

describe('a role that requires two-factor authentication', () => {
  it('redirects to its page before any other one', async () => {
    const { browser } = await signedIn({ user: { roleId: await requiringRole() } })
    for (const path of ['/auth/edit', '/settings/preferences', '/auth/edit/password', '/settings/imports'])
      expect([path, (await browser.get(path)).location]).toEqual([path, twoFactorPath])
    const page = await browser.get(twoFactorPath)
    expect([page.status, textOf(page.html).includes('Your role on this server requires it.')]).toEqual([
      200,
      true,
    ])
    const form = await browser.post('/settings/preferences', await tokenOf(browser))
    expect(form.location).toBe(twoFactorPath)
    await browser.fill('/auth/sign_out', {})
    expect((await browser.get('/auth/edit')).location).toMatch(/^\/auth\/sign_in/)
  })

  async function tokenOf(browser: Browser) {
    const { html } = await browser.get(twoFactorPath)
    return { csrf_token: /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '' }
  }

  it('stops authorizations of applications, by the page and by its form', async () => {
    const { browser } = await signedIn({ user: { roleId: await requiringRole() } })
    const client = await registerClient()
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
    })
    const shown = await browser.get(`/oauth/authorize?${query}`)
    expect(shown.location).toBe(twoFactorPath)
    const fields = { ...Object.fromEntries(query), ...(await tokenOf(browser)), decision: 'authorize' }
    expect((await browser.post('/oauth/authorize', fields)).location).toBe(twoFactorPath)
  })

  it('redirects back to the application once a second factor is set up, and only once', async () => {
    const { browser } = await signedIn({ user: { roleId: await requiringRole() } })
    const client = await registerClient()
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      state: 'a state of the app',
    })
    const consent = `/oauth/authorize?${query}`
    expect((await browser.get(consent)).location).toBe(twoFactorPath)
    await sendTwoFactorForm(browser, 'app')
    const setUp = await browser.get(twoFactorPath)
    const code = totpCode(secretIn(setUp.html), clock.now())
    const shown = await sendTwoFactorForm(browser, 'app/confirm', { code })
    const [, next = ''] = /href="(\/oauth\/authorize[^"]*)"/.exec(shown.html) ?? []
    expect(next.replaceAll('&amp;', '&')).toBe(consent)
    const page = await browser.get(consent)
    expect(page.status).toBe(200)
    const decided = await browser.post('/oauth/authorize', {
      ...hiddenFields(page.html, '/oauth/authorize'),
      decision: 'authorize',
    })
    expect(decided.location).toMatch(/[?&]code=[^&]+&state=a\+state\+of\+the\+app$/)
    const renewed = await sendTwoFactorForm(browser, 'recovery-codes')
    expect([renewed.status, renewed.html.includes('/oauth/authorize')]).toEqual([200, false])
  })

  it('redirects back to the requested page, and to no other site', async () => {
    const { browser } = await signedIn({ user: { roleId: await requiringRole() } })
    const finish = async () => {
      await sendTwoFactorForm(browser, 'app')
      const code = totpCode(secretIn((await browser.get(twoFactorPath)).html), clock.now())
      return (await sendTwoFactorForm(browser, 'app/confirm', { code })).html
    }
    await browser.get('/settings/imports?x=1')
    const signed = browser.jar.get('__Host-return_to') ?? ''
    expect(signed).not.toBe('')
    const forged = new TextEncoder().encode('/oauth/authorize?evil').toBase64({ alphabet: 'base64url' })
    browser.plant('__Host-return_to', `${forged}.${signed.split('.')[1]}`)
    const shown = await finish()
    expect(shown).not.toContain('evil')
    expect(shown).toContain(`href="${twoFactorPath}"`)
  })

  it('accepts a second factor, the last of which cannot be removed', async () => {
    const { member, browser } = await givenTotp()
    await context()
      .db.update(users)
      .set({ roleId: await requiringRole() })
      .where(eq(users.accountId, member.id))
    expect((await browser.get('/auth/edit')).status).toBe(200)
    for (const [name, fields] of [
      ['app/remove', {}],
      ['off', { current_password: password }],
    ] as const) {
      const page = await sendTwoFactorForm(browser, name, fields)
      expect([page.status, textOf(page.html).includes('Your role requires')]).toEqual([422, true])
    }
  })

  it('a role that requires two-factor authentication can be that of everyone', async () => {
    const { browser } = await signedIn()
    const ofEveryone = eq(roles.id, baseRole)
    await context().db.update(roles).set({ requireTwoFactor: true }).where(ofEveryone)
    const { location } = await browser.get('/auth/edit')
    await context().db.update(roles).set({ requireTwoFactor: false }).where(ofEveryone)
    expect([location, (await browser.get('/auth/edit')).status]).toEqual([twoFactorPath, 200])
  })

  it('allows members without a second factor to sign in', async () => {
    const alice = await givenMember({ user: { roleId: await requiringRole() } })
    expect((await new Browser().signIn(alice.username, password)).status).toBe(303)
  })
})
