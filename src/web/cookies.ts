import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { sign, verify } from '../lib/secrets'
import type { AppContext } from '../platform/app-env'
import type { Ctx } from '../platform/ports'

/** `session` keeps somebody signed in; `visit` ties the forms of somebody who is not to their browser. */
export type CookieName = 'session' | 'visit'

/** The secret in a cookie of ours; null where there is none or it was not made here. */
export async function readSecretCookie(c: AppContext, name: CookieName): Promise<string | null> {
  const { config } = c.get('ctx')
  const value = isSecure(c) ? getCookie(c, name, 'host') : getCookie(c, name)
  const [secret, signature] = value?.split('.') ?? []
  if (secret === undefined || signature === undefined) return null
  return (await verify(config.secret, `${name} cookie`, secret, signature)) ? secret : null
}

/** Signed, unreadable for scripts, not sent along by other sites; on https bound to this very host. */
export async function setSecretCookie(
  c: AppContext,
  name: CookieName,
  secret: string,
  maxAgeSeconds?: number,
) {
  const { config } = c.get('ctx')
  const value = `${secret}.${await sign(config.secret, `${name} cookie`, secret)}`
  setCookie(c, name, value, {
    ...{ path: '/', httpOnly: true, sameSite: 'Lax' },
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
