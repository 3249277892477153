import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { sign, verify } from '../lib/secrets'
import type { AppContext } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'

/**
 * `session` keeps a user signed in; `visit` ties the forms of a visitor to the browser; `sign_in` carries a sign-in
 * from its password to its second factor; `device` outlives sessions and says that an account knows the browser;
 * `return_to` is the page to continue with once a required second factor is set up; `draft` holds values typed into a
 * form whose session had ended; `left` names an account that just signed out here while others stay; `set_up` marks the browser
 * that sets the server up; the rest are sessions of
 * several accounts (`Slot`).
 */
export type CookieName =
  | 'session'
  | 'visit'
  | 'sign_in'
  | 'device'
  | 'return_to'
  | 'draft'
  | 'left'
  | 'set_up'
  | AccountCookie
export type AccountCookie = `account_${string}`

/** Names of the cookies of a request that are bound to this host as ours are. */
export function cookieNames(c: AppContext): readonly string[] {
  const mark = isSecure(c) ? '__Host-' : ''
  const names = Object.keys(getCookie(c))
  return names.filter((name) => name.startsWith(mark)).map((name) => name.slice(mark.length))
}

/** Reads the secret in a cookie; null if missing or its signature is not ours. */
export async function readSecretCookie(c: AppContext, name: CookieName): Promise<string | null> {
  const { config } = c.get('ctx')
  const value = isSecure(c) ? getCookie(c, name, 'host') : getCookie(c, name)
  const [secret, signature] = value?.split('.') ?? []
  if (secret === undefined || signature === undefined) return null
  return (await verify(config.secrets, `${name} cookie`, secret, signature)) ? secret : null
}

/** Sets a signed cookie: unreadable for scripts, not sent by other sites, on https bound to this host. */
export async function setSecretCookie(
  c: AppContext,
  name: CookieName,
  secret: string,
  maxAgeSeconds?: number,
) {
  const { config } = c.get('ctx')
  const value = `${secret}.${await sign(config.secrets, `${name} cookie`, secret)}`
  setCookie(c, name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
    ...(isSecure(c) ? { secure: true, prefix: 'host' } : {}),
  })
}

export function clearSecretCookie(c: AppContext, name: CookieName): void {
  deleteCookie(c, name, { path: '/', ...(isSecure(c) ? { secure: true, prefix: 'host' } : {}) })
}

function isSecure(c: AppContext): boolean {
  return secureOrigin(c.get('ctx'))
}

function secureOrigin({ config }: Ctx): boolean {
  return config.origin.startsWith('https:')
}
