import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { totpCode } from '../../../../src/lib/totp'
import { secretIn } from '../../../support/shown-secret'
import { writeDatabase } from '../../support/database'
import { type Reading, readEvidence } from '../../support/effect'
import { origin } from '../../support/people'
import { withPhone } from '../../support/phone'
import { type Member, signInTo } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'
import { confirmFor, type Flow, pressFor, pressWrong } from './setting'

const path = '/settings/two-factor'

/** Steps that a sign-in with the password needs, as another browser meets them. */
function stepsOf(member: Member): Reading {
  return async () => {
    const { url, text } = await signInTo(new Visitor(), member, '/auth/edit')
    return [url.pathname, text.includes('passkey')]
  }
}

/** Whether recovery codes sign in, one after the other: each is used up by it. */
function worksOf(member: Member, codes: readonly string[]): Reading {
  const left = [...codes]
  return async () => {
    const visitor = new Visitor()
    const step = await signInTo(visitor, member, '/auth/edit')
    const page = await visitor.submit(step, '/auth/sign_in/verify', { code: left.shift() ?? '' })
    return page.url.pathname
  }
}

/** Sets up an authenticator app, which gives recovery codes where there were none. Returns these. */
async function setUpApp(page: Page, isOn: Reading): Promise<readonly string[]> {
  const secret = secretIn(await page.content())
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, new Date()))
  await pressFor(page, { button: 'Confirm', notice: null, effect: isOn })
  const codes = await page.locator('.recovery-codes li').allInnerTexts()
  await page.getByRole('link', { name: 'I have saved them' }).click()
  return codes
}

/** Two-factor authentication is set up, changed and removed; each form is sent. */
export const twoFactor: Flow = async ({ page, context, member, person }) => {
  const caller = { origin, token: inject('setupToken') }
  const isOn = async () => readEvidence([caller, `/api/fieldfare/v1/admin/accounts/${person.id}/sign_in`])
  const [other, steps] = [new Visitor(), stepsOf(member)]
  const isSettingUp = async () => (await signInTo(other, member, path)).html.includes('class="secret"')
  const isAsked = async () =>
    (await context.request.get(origin + path)).text().then((html) => html.includes('id="confirm"'))
  await withPhone(context, page)

  // Only time makes a session that has to prove anew who sits there.
  writeDatabase({ folder: inject('folder') }, (database) => {
    database.prepare('update sessions set authenticated_at = 0 where account_id = ?').run(BigInt(person.id))
  })
  await page.reload()
  await page.getByLabel('Your password', { exact: true }).fill('wrong')
  await pressWrong(page, 'Continue', 'current_password')
  await page.getByLabel('Your password', { exact: true }).fill(member.password)
  const thanks = 'You can now change how you sign in, for the next 15 minutes.'
  await pressFor(page, { button: 'Continue', notice: thanks, effect: isAsked })

  await pressFor(page, { button: 'Set up an app', notice: null, effect: isSettingUp })
  await pressFor(page, { button: 'Cancel', notice: 'Nothing has been changed.', effect: isSettingUp })
  await pressFor(page, { button: 'Set up an app', notice: null, effect: isSettingUp })
  const first = await setUpApp(page, isOn)
  expect(first).toHaveLength(10)
  const works = worksOf(member, first)
  await confirmFor(page, 'Generate new codes…', { button: 'Generate new codes', notice: null, effect: works })
  expect(await page.locator('.recovery-codes li').count()).toBe(10)
  await page.getByRole('link', { name: 'I have saved them' }).click()

  await page.getByLabel('Name of the passkey').fill('My phone')
  const isListed = async () => (await other.open(path)).text.includes('My phone')
  await pressFor(page, { button: 'Add a passkey', notice: 'The passkey is added.', effect: isListed })
  expect(await steps()).toEqual(['/auth/sign_in/verify', true])
  const gone = { button: 'Remove the passkey', notice: 'The passkey is removed.', effect: isListed }
  await confirmFor(page, 'Remove My phone…', gone)
  expect(await steps()).toEqual(['/auth/sign_in/verify', false])
  const removed = { button: 'Remove the app', notice: 'The authenticator app is removed.', effect: isOn }
  await confirmFor(page, 'Remove it…', removed)
  expect(await steps()).toEqual(['/auth/edit', expect.any(Boolean)])

  await pressFor(page, { button: 'Set up an app', notice: null, effect: isSettingUp })
  await setUpApp(page, isOn)
  await page.locator('summary').filter({ hasText: 'Turn two-factor authentication off…' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(member.password)
  const off = { button: 'Turn it off', notice: 'Two-factor authentication is off.', effect: isOn }
  await pressFor(page, off)
  expect(await steps()).toEqual(['/auth/edit', expect.any(Boolean)])
}
