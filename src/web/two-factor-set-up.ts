import type { AppContext } from '../ports/app-env'
import { clearSecretCookie, readSecretCookie, setSecretCookie } from './cookies'
import { paths } from './paths'
import { returnToOf } from './return-to'

/** Time for the set-up; afterwards the person starts again where they came from. */
const cookieSeconds = 3_600
/** Browsers drop cookies of more than 4,096 bytes; the path is encoded and signed. */
const longestPath = 2_800

/**
 * Redirects to the page where a required second factor is set up. `from` is the page to continue with afterwards, such
 * as the consent to an application: several forms lie between, so a cookie carries it.
 */
export async function toTwoFactorSetUp(c: AppContext, from: string): Promise<Response> {
  if (from.length <= longestPath)
    await setSecretCookie(c, 'return_to', new TextEncoder().encode(from).toBase64(base64url), cookieSeconds)
  return c.redirect(paths.twoFactor, 303)
}

/** Page that the set-up was required for, once; null where it was begun by itself. */
export async function takeSetUpReturn(c: AppContext): Promise<string | null> {
  const encoded = await readSecretCookie(c, 'return_to')
  if (encoded === null) return null
  clearSecretCookie(c, 'return_to')
  return returnToOf(c, new TextDecoder().decode(Uint8Array.fromBase64(encoded, base64url)))
}

const base64url = { alphabet: 'base64url', omitPadding: true } as const
