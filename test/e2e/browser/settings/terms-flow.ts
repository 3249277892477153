import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { administer, makeResetLink } from '../../support/administer'
import { newWindows } from '../../support/browser'
import { startInstance } from '../../support/instance'
import { newMember, signInTo } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'
import { pressFor, signIn } from './setting'

/**
 * Goes on past new terms, which every member of a server meets who joined before: on a server of its own. Whether they
 * were seen is told by no API: another browser of the member is led past them.
 */
export async function seeNewTerms(browser: Browser): Promise<void> {
  const instance = await startInstance({ termsOfService: '## Terms' })
  try {
    const server = { origin: instance.origin, secrets: { SETUP_TOKEN: instance.setupToken } }
    const member = newMember()
    const { username, email, password } = member
    await administer(server, 'POST', 'account', { username, email })
    const other = new Visitor(instance.origin)
    await other.submit(await other.open(await makeResetLink(server, username)), '/auth/password/edit', {
      password,
      password_confirmation: password,
    })
    const led = async () => (await signInTo(other, member, '/settings/lists')).url.pathname
    expect(await led()).toBe('/settings/lists')
    await administer(server, 'POST', '/api/fieldfare/v1/admin/terms', {
      text: '## New terms',
      changelog: 'Fewer cats',
      notify: true,
    })

    const { context, complaints } = await newWindows(browser)
    const page = await context.newPage()
    await signIn(page, member, `${instance.origin}/settings/filters`)
    expect(new URL(page.url()).pathname).toBe('/settings/terms')
    expect(await page.locator('main').innerText()).toContain('Fewer cats')
    expect(await led()).toBe('/settings/terms')
    await pressFor(page, { button: 'Continue', notice: null, effect: led })
    expect(new URL(page.url()).pathname).toBe('/settings/filters')
    expect(await led()).toBe('/settings/lists')
    expect(complaints).toEqual([])
    await context.close()
  } finally {
    await instance.close()
  }
}
