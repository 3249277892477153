import type { TranslateText } from '../lib/translate'
import type { NotificationKind, NotificationMail, NotificationSubject } from './notification-kind'

/** Kinds by their names as stored and sent, in the order of Mastodon's documentation (entities/Notification#type). */
const kinds = {
  mention: {
    subject: 'mention',
    grouping: null,
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameMentionedYou',
    mail: {
      place: 1,
      sentence: 'notification.nameMentionedYou',
      directSentence: 'notification.nameWrote',
      topic: 'notification.postsMention',
    },
    fallbackTitle: null,
  },
  status: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.namePostedSomethingNew',
    mail: null,
    fallbackTitle: null,
  },
  reblog: {
    subject: 'own-status',
    grouping: 'by-status',
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameBoostedPost',
    mail: {
      place: 6,
      sentence: 'notification.nameBoostedPost',
      topic: 'notification.boostsPosts',
    },
    fallbackTitle: null,
  },
  follow: {
    subject: 'sender',
    grouping: 'by-time',
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameFollowsNow',
    mail: { place: 3, sentence: 'notification.nameFollowsNow', topic: 'notification.newFollowers' },
    fallbackTitle: null,
  },
  follow_request: {
    subject: 'sender',
    grouping: null,
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameAsksFollow',
    mail: {
      place: 4,
      sentence: 'notification.nameWantsFollow',
      note: 'notification.acceptRefuseApp',
      topic: 'notification.requestsFollow',
    },
    fallbackTitle: null,
  },
  favourite: {
    subject: 'own-status',
    grouping: 'by-status',
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameLikesPost',
    mail: {
      place: 5,
      sentence: 'notification.nameFavouritedPost',
      topic: 'notification.favouritesPosts',
    },
    fallbackTitle: null,
  },
  poll: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: true,
    permission: null,
    pushTitle: 'notification.pollByNameHas',
    mail: null,
    fallbackTitle: null,
  },
  update: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameEditedPost',
    mail: null,
    fallbackTitle: null,
  },
  'admin.sign_up': {
    subject: 'sender',
    grouping: 'by-time',
    isFilterable: false,
    isFromSelf: false,
    permission: 'manageUsers',
    pushTitle: 'notification.nameHasSignedUp',
    mail: { place: 9, sentence: 'notification.nameJoined', topic: 'notification.peopleWhoJoinServer' },
    fallbackTitle: '{sender} signed up',
  },
  'admin.report': {
    subject: 'report',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: 'manageReports',
    pushTitle: 'notification.nameHasReportedSomething',
    mail: {
      place: 8,
      sentence: 'notification.nameReportedTarget',
      topic: 'notification.newReports',
      isUrgent: true,
    },
    fallbackTitle: '{sender} reported {target}',
  },
  // Not in Mastodon, which only mails about appeals.
  'admin.appeal': {
    subject: 'sender',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: 'manageAppeals',
    pushTitle: null,
    mail: {
      place: 10,
      sentence: 'notification.nameAppealsAgainstDecision',
      topic: 'notification.appealsAgainstDecisionsModerators',
      isUrgent: true,
    },
    fallbackTitle: '{sender} appeals against a decision of the moderators',
  },
  // Of this server: Mastodon only mails.
  'admin.trends': {
    subject: 'sender',
    grouping: null,
    isFilterable: false,
    isFromSelf: true,
    permission: 'manageTaxonomies',
    pushTitle: null,
    mail: {
      place: 11,
      sentence: null,
      topic: 'notification.trendsWaitReview',
    },
    fallbackTitle: 'New trends wait for review',
  },
  severed_relationships: {
    subject: 'severance',
    grouping: null,
    isFilterable: false,
    isFromSelf: true,
    permission: null,
    pushTitle: null,
    mail: null,
    fallbackTitle: 'You lost followers or people you follow because of {target}',
  },
  moderation_warning: {
    subject: 'warning',
    grouping: null,
    isFilterable: false,
    isFromSelf: true,
    permission: null,
    pushTitle: null,
    mail: {
      place: 7,
      sentence: null,
      topic: 'notification.decisionsModeratorsAboutAccount',
      isUrgent: true,
      reachesSuspended: true,
    },
    fallbackTitle: 'You have received a moderation warning',
  },
  quote: {
    subject: 'status',
    grouping: null,
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameQuotedPost',
    mail: {
      place: 2,
      sentence: 'notification.nameQuotedPost',
      topic: 'notification.quotesPosts',
    },
    fallbackTitle: null,
  },
  quoted_update: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: 'notification.nameEditedPostQuoted',
    mail: null,
    fallbackTitle: null,
  },
  added_to_collection: {
    subject: 'collection-item',
    grouping: null,
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: null,
    mail: null,
    fallbackTitle: '{sender} added you to a collection',
  },
  collection_update: {
    subject: 'collection',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: null,
    mail: null,
    fallbackTitle: '{sender} changed a collection you are in',
  },
  annual_report: {
    subject: 'annual-report',
    grouping: null,
    isFilterable: false,
    isFromSelf: true,
    permission: null,
    pushTitle: null,
    mail: null,
    fallbackTitle: null,
  },
} as const satisfies Readonly<Record<string, NotificationKind>>

type Kinds = typeof kinds

export type NotificationType = keyof Kinds

/** Types whose declaration has something other than null under `P`. */
type Having<P extends keyof NotificationKind> = {
  [T in NotificationType]: Kinds[T][P] extends null ? never : T
}[NotificationType]

/** Kinds that users may be mailed about. */
export type MailKind = Having<'mail'>
/** Kinds that an application can subscribe to by push. */
export type PushAlert = Having<'pushTitle'>
/** Kinds with members that may be shown as one entry. */
export type GroupedType = Having<'grouping'>

export const notificationTypes = Object.keys(kinds).filter((name): name is NotificationType => name in kinds)
export const mailKinds = notificationTypes
  .filter((type): type is MailKind => kinds[type].mail !== null)
  .toSorted((a, b) => kinds[a].mail.place - kinds[b].mail.place)
export const pushAlerts = notificationTypes.filter(
  (type): type is PushAlert => kinds[type].pushTitle !== null,
)
export const groupedTypes = notificationTypes.filter(
  (type): type is GroupedType => kinds[type].grouping !== null,
)

/** Declaration of the kind `type`. */
export function notificationKind(type: NotificationType): NotificationKind {
  return kinds[type]
}

/** Declaration of the mails of a kind. */
export function notificationMail(kind: MailKind): NotificationMail {
  return kinds[kind].mail
}

/** Kinds with a subject among `subjects`. */
export function typesAbout(...subjects: readonly NotificationSubject[]): readonly NotificationType[] {
  return notificationTypes.filter((type) => subjects.includes(kinds[type].subject))
}

/** Types as a list of SQL literals. */
export function typeLiterals(types: readonly NotificationType[]): string {
  return types.map((type) => `'${type}'`).join(', ')
}

/** Title of a push message about a notification from a sender with this name. */
export function pushTitle(t: TranslateText, type: NotificationType, name: string): string {
  const { pushTitle: title } = notificationKind(type)
  return title === null ? t('notification.thereNewNotification') : t(title, { name })
}
