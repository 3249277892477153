import type { SettingName } from '../../../domain/instance/settings'
import { message } from '../../../lib/translate'

/** Words about a setting on its page. */
export interface SettingText {
  readonly label: string
  readonly hint?: string
  /** Words for the values of a choice. */
  readonly choices?: Readonly<Record<string, string>>
  /** Shown as a field of several lines. */
  readonly isLong?: true
}

/** Settings that are shown, and saved, together. */
export interface SettingGroup {
  readonly name: string
  readonly title: string
  readonly settings: Readonly<Partial<Record<SettingName, SettingText>>>
}

const audience = { all: message('Everybody'), users: message('Members'), nobody: message('Nobody') }
const feedAccess = {
  public: message('Everybody'),
  authenticated: message('Members'),
  disabled: message('Roles that may read all timelines'),
}

/** Settings by group, in the order of the page. Pictures, and versions of the terms, are changed by command. */
export const settingGroups: readonly SettingGroup[] = [
  {
    name: 'server',
    title: message('The server'),
    settings: {
      title: { label: message('Name') },
      shortDescription: { label: message('Description in a paragraph'), isLong: true },
      extendedDescription: { label: message('About page'), hint: message('Markdown.'), isLong: true },
      contactUsername: { label: message('Contact account'), hint: message('A member, without @.') },
      contactEmail: { label: message('Contact e-mail') },
      languages: { label: message('Languages'), hint: message('One code a line, as en or pt-BR.') },
      statusUrl: { label: message('Page about outages') },
      privacyPolicy: {
        label: message('Privacy policy'),
        hint: message("Markdown; empty: Fieldfare's own."),
        isLong: true,
      },
      termsOfService: {
        label: message('Terms of service'),
        hint: message(
          'Markdown; empty: none. A change takes effect at once; later dates are set under “Terms of service”.',
        ),
        isLong: true,
      },
    },
  },
  {
    name: 'sign-up',
    title: message('Sign-up'),
    settings: {
      registrations: {
        label: message('Who may sign up'),
        choices: {
          open: message('Everybody'),
          approval: message('Those whom moderators approve'),
          closed: message('Nobody without an invitation'),
        },
      },
      registrationsMessage: { label: message('Words on the sign-up page'), isLong: true },
      closeUnattended: { label: message('Ask for approval when no moderator was here for a week') },
      signUpChallenge: { label: message('Make browsers solve a small task, against robots') },
      minimumAge: { label: message('Minimum age'), hint: message('Empty: nobody is asked.') },
      blockedEmailDomains: {
        label: message('Refused e-mail domains'),
        hint: message('One a line, with their subdomains.'),
      },
      featuredAccounts: {
        label: message('Accounts recommended to new members'),
        hint: message('One a line, as name or name@host.'),
      },
    },
  },
  {
    name: 'visibility',
    title: message('Who sees what'),
    settings: {
      localFeedAccess: { label: message('Timeline of this server'), choices: feedAccess },
      remoteFeedAccess: { label: message('Timeline of other servers'), choices: feedAccess },
      localTagAccess: { label: message('Posts of this server by hashtag'), choices: feedAccess },
      remoteTagAccess: { label: message('Posts of other servers by hashtag'), choices: feedAccess },
      profileDirectory: { label: message('Directory of members who want to be found') },
      searchEngines: {
        label: message('Let search engines read pages'),
        hint: message('Members decide about their own besides.'),
      },
      aiCrawlers: { label: message('Let crawlers read pages that train models') },
      peersApi: { label: message('List the servers this one has met') },
      activityApi: { label: message('Show how active this server is') },
      domainBlocksShownTo: { label: message('List of limited servers'), choices: audience },
      domainBlockReasonsShownTo: { label: message('Reasons of these limits'), choices: audience },
    },
  },
  {
    name: 'discovery',
    title: message('Trends and strangers'),
    settings: {
      trends: { label: message('Show trends') },
      trendableByDefault: {
        label: message('Let hashtags, posts and pages trend before moderators saw them'),
      },
      trendMinimumAccounts: { label: message('Accounts before a page trends') },
      trendMinimumTagAccounts: {
        label: message('Accounts before a hashtag trends'),
        hint: message('Empty: 5, or 2 with fewer than 50 active members.'),
      },
      trendMinimumInteractions: {
        label: message('Favourites and boosts before a post trends'),
        hint: message('Empty: 5, or 2 with fewer than 50 active members.'),
      },
      quarantineMentions: { label: message('Hold back mentions by strangers of other servers') },
    },
  },
  {
    name: 'storage',
    title: message('Storage, backups and alerts'),
    settings: {
      pruning: {
        label: message('Delete old posts and accounts of other servers'),
        hint: message('Nothing that a member wrote, marked or answered.'),
      },
      databaseMegabytes: {
        label: message('Budget for the database in megabytes'),
        hint: message('Empty: what fits the plan.'),
      },
      keepRemoteStatusDays: { label: message('Days for posts of other servers') },
      keepFollowedStatusDays: { label: message('Days for posts by accounts that members follow') },
      keepRemoteAccountDays: { label: message('Days for accounts of other servers') },
      keepNotificationDays: { label: message('Days for notifications') },
      keepTombstoneDays: { label: message('Days for records of deleted posts') },
      keepSeveredFollowDays: { label: message('Days for follows that a block ended') },
      keepSignUpAddressDays: { label: message('Days for IP addresses of sign-ups') },
      backups: { label: message('Back the database up into the bucket') },
      backupDays: { label: message('Days between two backups'), hint: message('Empty: what fits the plan.') },
      keepBackups: { label: message('Backups that are kept') },
      alertsWebhook: {
        label: message('Address that is told what fails'),
        hint: message('It begins with https. Empty: none.'),
      },
      alertsEmail: { label: message('Mail the owners what fails') },
    },
  },
]

/** Settings without a field here: pictures, and what belongs to them. */
export const hiddenSettings: readonly SettingName[] = [
  'thumbnail',
  'thumbnailLarge',
  'thumbnailBlurhash',
  'thumbnailDescription',
]
