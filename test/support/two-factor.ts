import { totpCode } from '../../src/lib/totp'
import { type Browser, hiddenFields } from './browser'
import type { AccountOptions } from './given'
import { signedIn } from './members'
import { secretIn } from './shown-secret'
import { clock } from './test-app'

export const twoFactorPath = '/settings/two-factor'
export const signInStep = '/auth/sign_in/verify'

/** Sends one form of the page of two-factor authentication. */
export async function sendTwoFactorForm(
  browser: Browser,
  name: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const page = await browser.get(twoFactorPath)
  const anyForm = [...page.html.matchAll(/name="csrf_token" value="([^"]*)"/g)][0]?.[1] ?? ''
  return browser.post(`${twoFactorPath}/${name}`, { csrf_token: anyForm, ...fields })
}

export function recoveryCodesIn(html: string): readonly string[] {
  return [...html.matchAll(/<li><code>([^<]*)<\/code><\/li>/g)].map(([, code = '']) => code)
}

/** Signed-in account with an authenticator app set up and recovery codes. */
export async function givenTotp(options: AccountOptions = {}) {
  const { member, browser } = await signedIn(options)
  await sendTwoFactorForm(browser, 'app')
  const secret = secretIn((await browser.get(twoFactorPath)).html)
  const page = await sendTwoFactorForm(browser, 'app/confirm', { code: totpCode(secret, clock.now()) })
  const recoveryCodes = recoveryCodesIn(page.html)
  // The code of this step was used.
  clock.advance(30_000)
  return { member, browser, secret, recoveryCodes, code: () => totpCode(secret, clock.now()) }
}

/** Takes the second step of a sign-in that the browser is in the middle of. */
export async function takeStep(browser: Browser, code: string, returnTo?: string) {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`
  const page = await browser.get(`${signInStep}${query}`)
  return browser.post(signInStep, { ...hiddenFields(page.html, signInStep), code })
}
