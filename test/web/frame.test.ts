import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../src/db/schema'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { givenRole } from '../support/given-staff'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

/** Addresses that the navigation leads to: at the side, and at the foot of phones. */
function navigationOf(html: string): readonly string[] {
  const [, side = ''] = /<header class="nav">(.*?)<\/header>/s.exec(html) ?? []
  const [, foot = ''] = /<nav class="(?:bar|signed-out)"[^>]*>(.*?)<\/nav>/s.exec(html) ?? []
  return [...`${side}${foot}`.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, path = '']) => path)
}

describe('the frame of a page', () => {
  it('the navigation of a member has its counts on every page, in its round trip', async () => {
    const { member, browser } = await signedIn()
    await as(await given.account()).post(`/api/v1/accounts/${member.id}/follow`)
    for (const path of ['/home', '/about', '/settings/profile', '/nowhere/at/all']) {
      const { html, costs } = await browser.get(path)
      // An address without a page reads nothing but the session.
      if (path !== '/nowhere/at/all')
        expect([path, html]).toEqual([path, expect.stringContaining('data-unread="1"')])
      expect([path, navigationOf(html).includes('/notifications')]).toEqual([path, true])
      expect(costs.trips).toBeLessThanOrEqual(2)
    }
  })

  it('the menu of settings stands in the place of the entries of the navigation, behind the way home', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get('/settings/profile')
    expect(navigationOf(html).slice(0, 3)).toEqual(['/home', '/home', '/settings/profile'])
    expect(navigationOf(html)).not.toContain('/bookmarks')
  })

  it('a form with one errand has no navigation, and offers the source', async () => {
    for (const path of ['/auth/sign_in', '/auth/sign_up', '/auth/password/new']) {
      const { html } = await new Browser().get(path)
      expect([path, navigationOf(html)]).toEqual([path, ['/']])
      expect(html).toContain('>Source code</a>')
    }
  })

  it('a suspended account gets no navigation with the only page that it may open', async () => {
    const { member, browser } = await signedIn()
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, member.id))
    const { status, html } = await browser.get('/settings/strikes')
    expect([status, navigationOf(html)]).toEqual([200, ['/']])
    expect(html).toContain(member.username)
  })
})

describe('the menu of a place as a page', () => {
  it('the menu of settings leads to every group, also for an account that waits for approval', async () => {
    for (const user of [{}, { approved: false }]) {
      const { browser } = await signedIn({ user })
      const { status, html } = await browser.get('/settings')
      expect(status).toBe(200)
      for (const path of ['/settings/profile', '/auth/edit', '/settings/delete'])
        expect(html).toContain(`<a class="row-link" href="${path}">`)
    }
  })

  it('the menu of administration has the pages that the role permits, and is closed to members', async () => {
    const roleId = await givenRole({ permissions: ['manageReports'] })
    const staff = await signedIn({ user: { roleId } })
    const { html } = await staff.browser.get('/admin')
    expect(html).toContain('<a class="row-link" href="/admin/reports">')
    expect(html).not.toContain('href="/admin/settings"')
    expect((await (await signedIn()).browser.get('/admin')).status).toBe(403)
  })
})
