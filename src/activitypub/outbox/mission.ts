import type { Reach } from '../../domain/relationships/find-inboxes'
import type { AccountId } from '../../lib/ids'
import type { Activity } from '../serialise/activities'

/** What one event has to tell other servers: these activities, by this person, into the inboxes of these people. */
export interface Mission {
  readonly senderId: AccountId
  /** The actor id of the sender. */
  readonly sender: string
  readonly activities: readonly Activity[]
  readonly reach: Reach
  /** For followers alone: their servers are told whom of theirs that is (FEP-8fcf). */
  readonly followersOnly?: boolean
}

/** One activity for one inbox: of such an event tells many, to many people of one server. */
export interface Letter {
  readonly senderId: AccountId
  readonly sender: string
  readonly activity: Activity
  readonly inbox: string
}
