import type { NotificationKind, NotificationMail, NotificationSubject } from './kind'

/** Kinds by their names as stored and sent, in the order of Mastodon's documentation (entities/Notification#type). */
const kinds = {
  mention: {
    subject: 'mention',
    grouping: null,
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# mentioned you',
      de: '# hat dich erwähnt',
      es: '# te ha mencionado',
      fr: '# vous a mentionné',
    },
    mail: {
      place: 1,
      action: 'mentioned you',
      directAction: 'wrote to you',
      topic: 'posts that mention you',
    },
    fallbackTitle: null,
  },
  status: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# posted something new',
      de: '# hat etwas Neues veröffentlicht',
      es: '# ha publicado algo nuevo',
      fr: '# a publié quelque chose',
    },
    mail: null,
    fallbackTitle: null,
  },
  reblog: {
    subject: 'own-status',
    grouping: 'by-status',
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# boosted your post',
      de: '# hat deinen Beitrag geteilt',
      es: '# ha impulsado tu publicación',
      fr: '# a partagé votre message',
    },
    mail: {
      place: 6,
      action: 'boosted your post',
      topic: 'boosts of your posts',
    },
    fallbackTitle: null,
  },
  follow: {
    subject: 'sender',
    grouping: 'by-time',
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# follows you now',
      de: '# folgt dir jetzt',
      es: '# ahora te sigue',
      fr: '# vous suit maintenant',
    },
    mail: { place: 3, action: 'follows you now', topic: 'new followers' },
    fallbackTitle: null,
  },
  follow_request: {
    subject: 'sender',
    grouping: null,
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# asks to follow you',
      de: '# möchte dir folgen',
      es: '# quiere seguirte',
      fr: '# souhaite vous suivre',
    },
    mail: {
      place: 4,
      action: 'wants to follow you',
      note: 'Accept or refuse this in your app.',
      topic: 'requests to follow you',
    },
    fallbackTitle: null,
  },
  favourite: {
    subject: 'own-status',
    grouping: 'by-status',
    isFilterable: true,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# likes your post',
      de: '# gefällt dein Beitrag',
      es: 'A # le gusta tu publicación',
      fr: '# aime votre message',
    },
    mail: {
      place: 5,
      action: 'favourited your post',
      topic: 'favourites of your posts',
    },
    fallbackTitle: null,
  },
  poll: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: true,
    permission: null,
    pushTitle: {
      en: 'A poll by # has ended',
      de: 'Eine Umfrage von # ist beendet',
      es: 'Ha terminado una encuesta de #',
      fr: 'Un sondage de # est terminé',
    },
    mail: null,
    fallbackTitle: null,
  },
  update: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# edited a post',
      de: '# hat einen Beitrag bearbeitet',
      es: '# ha editado una publicación',
      fr: '# a modifié un message',
    },
    mail: null,
    fallbackTitle: null,
  },
  'admin.sign_up': {
    subject: 'sender',
    grouping: 'by-time',
    isFilterable: false,
    isFromSelf: false,
    permission: 'manageUsers',
    pushTitle: {
      en: '# has signed up',
      de: '# hat sich registriert',
      es: '# se ha registrado',
      fr: '# vient de s’inscrire',
    },
    mail: { place: 9, action: 'joined', topic: 'people who join this server' },
    fallbackTitle: '{sender} signed up',
  },
  'admin.report': {
    subject: 'report',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: 'manageReports',
    pushTitle: {
      en: '# has reported something',
      de: '# hat etwas gemeldet',
      es: '# ha enviado un informe',
      fr: '# a envoyé un signalement',
    },
    mail: {
      place: 8,
      action: 'reported',
      topic: 'new reports',
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
      action: 'appeals against a decision of the moderators',
      topic: 'appeals against decisions of the moderators',
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
      action: 'asked for a review of trends',
      topic: 'trends that wait for review',
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
      action: 'decided something about your account',
      topic: 'decisions of the moderators about your account',
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
    pushTitle: {
      en: '# quoted your post',
      de: '# hat deinen Beitrag zitiert',
      es: '# ha citado tu publicación',
      fr: '# a cité votre message',
    },
    mail: {
      place: 2,
      action: 'quoted your post',
      topic: 'quotes of your posts',
    },
    fallbackTitle: null,
  },
  quoted_update: {
    subject: 'status',
    grouping: null,
    isFilterable: false,
    isFromSelf: false,
    permission: null,
    pushTitle: {
      en: '# edited a post you quoted',
      de: '# hat einen Beitrag bearbeitet, den du zitiert hast',
      es: '# ha editado una publicación que citaste',
      fr: '# a modifié un message que vous avez cité',
    },
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
/** Topics of the mails by their kinds. */
export type MailTopics = {
  readonly [T in MailKind]: Kinds[T]['mail'] extends { readonly topic: infer Topic } ? Topic : never
}
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
