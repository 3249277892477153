import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { givenRole } from '../../support/given-staff'
import { givenMember, password, signedIn } from '../../support/members'

describe('the way into the web client', () => {
  it('leads from sign-in to home, or to the page that was asked for', async () => {
    const { username } = await givenMember()
    const browser = new Browser()
    expect((await browser.signIn(username, password)).location).toBe('/home')
    expect((await browser.get('/auth/sign_in')).location).toBe('/home')
    expect((await new Browser().signIn(username, password, '/bookmarks')).location).toBe('/bookmarks')
  })

  it('leads home from settings and from pages for everybody', async () => {
    const { browser } = await signedIn()
    for (const path of ['/auth/edit', '/about'])
      expect((await browser.get(path)).html).toMatch(/<header.*href="\/home".*<\/header>/s)
    expect((await new Browser().get('/about')).html).not.toContain('href="/home"')
  })
})

describe('the menu', () => {
  it('shows the account with its counts, settings and sign-out, in one round trip', async () => {
    const { member, browser } = await signedIn()
    await as(member).post('/api/v1/statuses', { status: 'one' })
    await as(member).post(`/api/v1/accounts/${(await given.account()).id}/follow`)
    const { html, costs } = await browser.get('/menu')
    expect(textOf(html)).toMatch(/1 post\s+1 following\s+0 followers/)
    expect(html).toContain('href="/settings"')
    expect(html).not.toContain('href="/admin')
    expectCosts(costs, { trips: 1 })
    const sent = await browser.fill('/menu', {}, { action: '/auth/sign_out' })
    expect([sent.status, sent.location]).toEqual([303, '/'])
    expect((await browser.get('/menu')).location).toContain('/auth/sign_in?return_to=%2Fmenu')
  })

  it('the menu shows administration to staff', async () => {
    const { browser } = await signedIn({
      user: { roleId: await givenRole({ permissions: ['manageReports'] }) },
    })
    expect((await browser.get('/menu')).html).toContain('href="/admin/')
  })
})

describe('an account that waits for approval', () => {
  it('sees on its home what it waits for, and no page that is closed to it', async () => {
    const { browser } = await signedIn({ user: { approved: false } })
    const { status, html } = await browser.get('/home')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('The moderators are reviewing your sign-up.')
    expect(html).not.toContain('href="/publish"')
    expect(html).not.toContain('href="/notifications"')
    const menu = await browser.get('/menu')
    expect(menu.html).toContain('action="/auth/sign_out"')
    expect(menu.html).not.toContain('href="/bookmarks"')
    expect((await browser.get('/bookmarks')).status).toBe(403)
  })
})
