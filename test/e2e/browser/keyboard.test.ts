import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { giveRole } from '../support/administer'
import { newWindows, useBrowser, withChromium } from '../support/browser'
import { pressEnter, skipToContent, tabTo } from '../support/keyboard'
import { mastoOf } from '../support/masto'
import { ownServer } from '../support/operator'
import { newPerson, origin } from '../support/people'
import { type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

/** Signs in with the keyboard on the page that asks for it. */
async function signIn(page: Page, { username, password }: Member): Promise<void> {
  await skipToContent(page)
  await tabTo(page, 'E-mail address or username')
  await page.keyboard.type(username)
  await tabTo(page, 'Password')
  await page.keyboard.type(password)
  await pressEnter(page)
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

withChromium('without a mouse and without scripts', () => {
  const place = useBrowser()

  it('a member signs in, changes a setting and signs out with the keyboard', async () => {
    const member = await signUp(new Visitor())
    const { context, complaints } = await newWindows(place.browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${origin}/settings/preferences`)
    await signIn(page, member)
    const before = await heading(page)
    await skipToContent(page)
    await tabTo(page, 'Who sees new posts')
    await page.keyboard.type('Followers')
    await tabTo(page, 'Mark my pictures and videos as sensitive')
    await page.keyboard.press('Space')
    await tabTo(page, 'Save')
    await pressEnter(page)
    await page.getByText('Your preferences are saved.').waitFor()
    await page.goto(`${origin}/settings/preferences`)
    expect(await heading(page)).toBe(before)
    expect(await page.getByLabel('Who sees new posts').inputValue()).toBe('private')
    expect(await page.getByLabel('Mark my pictures and videos as sensitive').isChecked()).toBe(true)
    await page.goto(`${origin}/auth/sign_out`)
    await skipToContent(page)
    await tabTo(page, 'Sign out')
    await pressEnter(page)
    await page.goto(`${origin}/settings/preferences`)
    expect(await heading(page)).toBe('Sign in')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a moderator decides about a report with the keyboard', async () => {
    const [moderator, reporter, target] = [await signUp(new Visitor()), await newPerson(), await newPerson()]
    await giveRole(ownServer(), moderator.username, 'moderator')
    const report = await mastoOf(reporter).v1.reports.create({ accountId: target.id, comment: 'Sells seeds' })
    const { context, complaints } = await newWindows(place.browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${origin}/admin/reports/${report.id}`)
    await signIn(page, moderator)
    await skipToContent(page)
    await tabTo(page, 'Mark all media as sensitive')
    await pressEnter(page)
    await skipToContent(page)
    await tabTo(page, 'Message (optional)')
    await page.keyboard.type('No seeds for sale here.')
    await tabTo(page, 'Mark all media as sensitive')
    await pressEnter(page)
    await page.getByText('The action has been taken and the report is resolved.').waitFor()
    const { sensitized } = Object(await mastoOf(target).v1.accounts.$select(target.id).fetch())
    expect([sensitized, complaints]).toEqual([true, []])
    await context.close()
  })
})
