import { Conflict } from '../errors'
import { verify } from '../lib/secrets'
import type { AppContext } from '../ports/app-env'
import { slotsOf } from './account-slots'

/** Whether the request carries the CSRF token of a page of this session in its header. */
export async function provesCsrf(c: AppContext, secret: string): Promise<boolean> {
  const given = c.req.header('x-csrf-token')
  return given !== undefined && isTokenOf(c, secret, given)
}

/** Whether a CSRF token is that of the pages of a session. */
export function isTokenOf(c: AppContext, secret: string, token: string): Promise<boolean> {
  return verify(c.get('ctx').config.secrets, 'csrf', secret, token)
}

/**
 * Refuses a request by the script of a page that another account of this browser opened: by the token in its header it names the
 * account that it reads or acts for. `active` is the secret of the session that is active now.
 */
export async function refuseOtherAccount(c: AppContext, active: string | null): Promise<void> {
  const given = c.req.header('x-csrf-token')
  if (given === undefined || (active !== null && (await isTokenOf(c, active, given)))) return
  for (const { secret } of await slotsOf(c))
    if (secret !== active && (await isTokenOf(c, secret, given))) throw new Conflict('other_account')
}
