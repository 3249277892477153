import type { Recipients } from '../../domain/relationships/find-inboxes'
import type { AccountId } from '../../lib/ids'
import type { OutgoingActivity } from '../serialise/activities'

/** What one event has to tell other servers: these activities, by this person, into the inboxes of these people. */
export interface OutboundDelivery {
  readonly senderId: AccountId
  /** The actor id of the sender. */
  readonly sender: string
  readonly activities: readonly OutgoingActivity[]
  readonly recipients: Recipients
  /** For followers alone: their servers are told whom of theirs that is (FEP-8fcf). */
  readonly followersOnly?: boolean
}

/** One activity for one inbox: of such an event tells many, to many people of one server. */
export interface SingleDelivery {
  readonly senderId: AccountId
  readonly sender: string
  readonly activity: OutgoingActivity
  readonly inbox: string
}
