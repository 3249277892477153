import { mostAccounts } from '../domain/sessions/sessions-of-browser'
import { sessionSeconds } from '../domain/sessions/web-session'
import type { AppContext } from '../ports/app-env'
import {
  type AccountCookie,
  clearSecretCookie,
  cookieNames,
  readSecretCookie,
  setSecretCookie,
} from './cookies'

/**
 * An account that this browser is signed in to beside others. Each has a cookie of its own, so that two windows cannot undo
 * what the other did; the cookie `session` is that of the active one. A browser with one account has no slots.
 */
export interface Slot {
  readonly username: string
  /** Secret of its session. */
  readonly secret: string
}

const prefix = 'account_'

/** The accounts of this browser that its cookies name, by name; none where there is but one. */
export async function slotsOf(c: AppContext): Promise<readonly Slot[]> {
  const names = cookieNames(c).filter(isSlot).toSorted().slice(0, mostAccounts)
  const slots = await Promise.all(
    names.map(async (name) => ({
      username: name.slice(prefix.length),
      secret: await readSecretCookie(c, name),
    })),
  )
  return slots.flatMap(({ username, secret }) => (secret === null ? [] : [{ username, secret }]))
}

export async function keepSlot(c: AppContext, { username, secret }: Slot): Promise<void> {
  await setSecretCookie(c, `${prefix}${username}`, secret, sessionSeconds)
}

export function clearSlot(c: AppContext, username: string): void {
  clearSecretCookie(c, `${prefix}${username}`)
}

function isSlot(name: string): name is AccountCookie {
  return /^account_[\w.-]{1,60}$/.test(name)
}
