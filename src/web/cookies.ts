import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Ctx } from '../context'
import { sign, verify } from '../lib/secrets'
import type { Served } from './served'

/** `session` keeps somebody signed in; `visit` ties the forms of somebody who is not to their browser. */
export type CookieName = 'session' | 'visit'

type C = Context<Served>

/** The secret in a cookie of ours; null where there is none or it was not made here. */
export async function readSecret(c: C, name: CookieName): Promise<string | null> {
  const { config } = c.get('ctx')
  const value = isSecure(c) ? getCookie(c, name, 'host') : getCookie(c, name)
  const [secret, signature] = value?.split('.') ?? []
  if (secret === undefined || signature === undefined) return null
  return (await verify(config.secret, `${name} cookie`, secret, signature)) ? secret : null
}

/** Signed, unreadable for scripts, not sent along by other sites; on https bound to this very host. */
export async function keepSecret(c: C, name: CookieName, secret: string, maxAgeSeconds?: number) {
  const { config } = c.get('ctx')
  const value = `${secret}.${await sign(config.secret, `${name} cookie`, secret)}`
  setCookie(c, name, value, {
    ...{ path: '/', httpOnly: true, sameSite: 'Lax' },
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
    ...(isSecure(c) ? { secure: true, prefix: 'host' } : {}),
  })
}

export function dropSecret(c: C, name: CookieName): void {
  deleteCookie(c, name, { path: '/', ...(isSecure(c) ? { secure: true, prefix: 'host' } : {}) })
}

function isSecure(c: C): boolean {
  return secureOrigin(c.get('ctx'))
}

function secureOrigin({ config }: Ctx): boolean {
  return config.origin.startsWith('https:')
}
