import type { Recipients } from '../../domain/relationships/find-inboxes'
import type { AccountId } from '../../lib/ids'
import type { OutgoingActivity } from '../serialise/activities'

/** Activities that one event federates, by one local sender to these recipients. */
export interface OutboundDelivery {
  readonly senderId: AccountId
  /** Actor id of the sender. */
  readonly sender: string
  readonly activities: readonly OutgoingActivity[]
  readonly recipients: Recipients
  /** Followers-only: the Collection-Synchronization header goes along (FEP-8fcf). */
  readonly followersOnly?: boolean
  /** For accepted relays as well. */
  readonly forRelays?: boolean
}

/** An activity for one inbox. A domain block produces many, often to the same server. */
export interface SingleDelivery {
  readonly senderId: AccountId
  readonly sender: string
  readonly activity: OutgoingActivity
  readonly inbox: string
}
