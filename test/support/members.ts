import { Browser } from './browser'
import { type AccountOptions, given } from './given'
import { context } from './test-app'

export const password = 'correct horse battery'

let hash: Promise<string> | null = null

/** An account that can sign in with `password`. */
export async function givenMember(options: AccountOptions = {}) {
  hash ??= context().vault.hashPassword(password)
  return given.account({ ...options, user: { passwordHash: await hash, ...options.user } })
}

/** An account and a browser that is signed in. */
export async function signedIn(options: AccountOptions = {}) {
  const member = await givenMember(options)
  const browser = new Browser()
  const page = await browser.signIn(member.username, password)
  if (page.status !== 303) throw new Error(`Signing in answered ${page.status}: ${page.html}`)
  return { member, browser }
}
