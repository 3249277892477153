import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import * as z from 'zod'
import { setup } from '../../../../scripts/lib/server.mjs'
import { newWindows } from '../../support/browser'
import { startInstance } from '../../support/instance'
import { newMember, signInTo } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'
import { pressFor, signIn } from './setting'

const Link = z.object({ url: z.string() })

/**
 * Goes on past new terms, which every member of a server meets who joined before: on a server of its own. Whether they
 * were seen is told by no API: another browser of the member is led past them.
 */
export async function seeNewTerms(browser: Browser): Promise<void> {
  const instance = await startInstance({ termsOfService: '## Terms' })
  try {
    const operate = async (path: string, body: object) => {
      const answer = await setup(
        { origin: instance.origin, secrets: { SETUP_TOKEN: instance.setupToken } },
        'POST',
        path,
        body,
      )
      expect([path, answer.status]).toEqual([path, 200])
      return answer.body
    }
    const member = newMember()
    const { username, email, password } = member
    await operate('account', { username, email })
    const other = new Visitor(instance.origin)
    const { url } = Link.parse(await operate('reset-link', { username }))
    await other.submit(await other.open(url), '/auth/password/edit', {
      password,
      password_confirmation: password,
    })
    const led = async () => (await signInTo(other, member, '/settings/lists')).url.pathname
    expect(await led()).toBe('/settings/lists')
    await operate('/api/fieldfare/v1/admin/terms', {
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
