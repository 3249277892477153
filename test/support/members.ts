import { hashDeviceToken } from '../../src/domain/sessions/devices'
import { startSession } from '../../src/domain/sessions/web-session'
import { sign } from '../../src/lib/secrets'
import { Browser } from './browser'
import { type AccountOptions, given } from './given'
import { clock, context } from './test-app'

export const password = 'correct horse battery'

let hash: Promise<string> | null = null

/** An account that can sign in with `password`. */
export async function givenMember(options: AccountOptions = {}) {
  hash ??= context().vault.hashPassword(password)
  return given.account({ ...options, user: { passwordHash: await hash, ...options.user } })
}

/**
 * An account and a browser that is signed in, with the session and the cookies of the sign-in form, which
 * `sign-in.test.ts` sends.
 */
export async function signedIn(options: AccountOptions = {}) {
  const member = await givenMember(options)
  const browser = new Browser()
  const ctx = context()
  const device = ctx.random.token()
  const { lastActiveAt = clock.now() } = options.user ?? {}
  const person = { accountId: member.id, lastActiveAt }
  const used = { userAgent: '', ip: browser.ip, deviceHash: await hashDeviceToken(device) }
  const session = await startSession(ctx, person, used, [])
  for (const [name, secret] of Object.entries({ session, device }))
    browser.plant(`__Host-${name}`, `${secret}.${await sign(ctx.config.secrets, `${name} cookie`, secret)}`)
  return { member, browser }
}
