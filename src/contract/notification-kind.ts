import type { TextKey } from '../lib/translate'
/**
 * Subject of a notification: decides its visibility (`isSubjectVisible`), what is loaded and presented with it, and the
 * body of a mail about it.
 *
 * `sender`: nothing but the sender. `own-status`: a status of the recipient. `mention`: a status that names the
 * recipient. `status`: any other status. The others are ids of rows, or a year, in `notifications.subject_id`.
 */
export type NotificationSubject =
  | 'sender'
  | 'own-status'
  | 'mention'
  | 'status'
  | 'report'
  | 'severance'
  | 'warning'
  | 'annual-report'
  | 'collection-item'
  | 'collection'

export interface NotificationMail {
  /** Place on the page of mail settings. */
  readonly place: number
  /** Subject line and first sentence, `{name}` for the sender; null for kinds that word it by what they are about. */
  readonly sentence: TextKey | null
  /** Replaces `sentence` where the status is direct. */
  readonly directSentence?: TextKey
  readonly note?: TextKey
  /** Completes "You are mailed about: …". */
  readonly topic: TextKey
  /** Mailed at once to all users who did not decline; the other kinds wait to be asked for. */
  readonly isUrgent?: boolean
  /** Also mailed to users who are suspended or disabled, and shown to them. */
  readonly reachesSuspended?: boolean
}

/** Declaration of a kind of notification: every list, switch and statement about kinds derives from it. */
export interface NotificationKind {
  readonly subject: NotificationSubject
  /** Grouped within twelve hours, `by-status` separately for each status; ungrouped where null. */
  readonly grouping: 'by-time' | 'by-status' | null
  /** Subject to the recipient's notification policy. */
  readonly isFilterable: boolean
  /** Without a sender: the recipient stands for it. Other notifications by oneself are not made. */
  readonly isFromSelf: boolean
  /** Permission the recipient needs to receive and see it. */
  readonly permission: 'manageAppeals' | 'manageReports' | 'manageTaxonomies' | 'manageUsers' | null
  /** Title of its push messages, `{name}` for that of the sender; never pushed where null. */
  readonly pushTitle: TextKey | null
  /** Never mailed where null. */
  readonly mail: NotificationMail | null
  /**
   * Title shown by apps that do not know the kind, `{sender}` and `{target}` for links or names; null for kinds that
   * every app has long known (docs methods/notifications#get).
   */
  readonly fallbackTitle: string | null
}
