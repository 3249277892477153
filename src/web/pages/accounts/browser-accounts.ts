import type { HeldSession } from '../../../domain/sessions/sessions-of-browser'
import type { AppContext } from '../../../ports/app-env'
import { accountSummary, heldSessions, type PageRequest } from '../../page-request'
import type { AccountSummary } from '../../site'

/** An account that this browser is or was signed in to. */
export interface BrowserAccount {
  readonly account: AccountSummary
  /** `ended`: signed out elsewhere, expired or deleted, and only its cookie is left here. */
  readonly state: 'active' | 'signed-in' | 'restricted' | 'ended'
}

/** The accounts of this browser, by name: one statement of at most six rows, none for a visitor without any. */
export async function accountsOfBrowser(
  c: AppContext,
  visit: PageRequest,
): Promise<readonly BrowserAccount[]> {
  const held = await heldSessions(c, visit)
  const active = visit.session ?? visit.restricted
  const lost = visit.slots.filter(({ username }) => held.every((one) => one.username !== username))
  const ended = lost.map(({ username }) => ({
    account: accountSummary(c, { username, displayName: username, avatar: null, accountId: null }),
    state: 'ended' as const,
  }))
  const found = held.map((one) => ({ account: accountSummary(c, one), state: stateOf(one, active?.id) }))
  return [...found, ...ended].toSorted((one, other) => (one.account.acct < other.account.acct ? -1 : 1))
}

function stateOf({ id, isRestricted }: HeldSession, activeId: number | undefined): BrowserAccount['state'] {
  if (isRestricted) return 'restricted'
  return id === activeId ? 'active' : 'signed-in'
}
