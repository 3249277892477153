import type { AccountId } from '../../lib/ids'

/** The remote account whose verified activity a command handles. */
export interface RemoteSender {
  readonly id: AccountId
}
