// The cookie of a session of a bench server, signed as src/lib/secrets does it.
import { createHmac } from 'node:crypto'
import { secret } from './miniflare.mjs'

export function sessionCookie(session) {
  const signature = createHmac('sha256', `session cookie\n${secret}`).update(session).digest('base64url')
  return `${session}.${signature}`
}
