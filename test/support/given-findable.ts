import type { AccountOptions, Somebody } from './given'
import { given } from './given'

/** Somebody of this server who wants to be found. */
export function findable(options: AccountOptions = {}): Promise<Somebody> {
  return given.account({ discoverable: true, ...options })
}
