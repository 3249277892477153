import type { AccountOptions, TestAccount } from './given'
import { given } from './given'

/** Somebody of this server who wants to be found. */
export function discoverableAccount(options: AccountOptions = {}): Promise<TestAccount> {
  return given.account({ discoverable: true, ...options })
}
