import type { AccountId } from '../../lib/ids'

/** The one who performs an administrative command: a staff member through API or pages, or the operator by a script. */
export interface Moderator {
  /** Null for the operator. */
  readonly accountId: AccountId | null
  /** Empty for the operator. */
  readonly username: string
  /** Permission bits, those of administrators complete. */
  readonly permissions: number
  /** Position of the role; null for the operator, who ranks above every role. */
  readonly position: number | null
  /** Client address; null if missing. */
  readonly ip: string | null
}

/** A moderator with an account. */
export interface StaffMember extends Moderator {
  readonly accountId: AccountId
  readonly position: number
}
