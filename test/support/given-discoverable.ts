import type { AccountOptions, TestAccount } from './given'
import { given } from './given'

/** A discoverable local account. */
export function discoverableAccount(options: AccountOptions = {}): Promise<TestAccount> {
  return given.account({ discoverable: true, ...options })
}
