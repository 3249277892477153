import type { SettingName } from '../../../domain/instance/settings'
import type { TextKey } from '../../../lib/translate'

/** Words about a setting on its page. */
export interface SettingText {
  readonly label: TextKey
  readonly hint?: TextKey
  /** Words for the values of a choice. */
  readonly choices?: Readonly<Record<string, TextKey>>
  /** Shown as a field of several lines. */
  readonly isLong?: true
}

/** Settings that are shown, and saved, together. */
export interface SettingGroup {
  readonly name: string
  readonly title: TextKey
  readonly settings: Readonly<Partial<Record<SettingName, SettingText>>>
}

const audience = {
  all: 'admin.settings.everybody',
  users: 'admin.members',
  nobody: 'admin.settings.nobody',
} as const
const feedAccess = {
  public: 'admin.settings.everybody',
  authenticated: 'admin.members',
  disabled: 'admin.settings.rolesMayReadAll',
} as const

/** Settings by group, in the order of the page. Pictures, and versions of the terms, are changed by command. */
export const settingGroups: readonly SettingGroup[] = [
  {
    name: 'server',
    title: 'admin.settings.theServer',
    settings: {
      title: { label: 'field.name' },
      shortDescription: { label: 'admin.settings.descriptionParagraph', isLong: true },
      extendedDescription: {
        label: 'admin.settings.aboutPage',
        hint: 'admin.settings.aboutPage.hint',
        isLong: true,
      },
      contactUsername: { label: 'admin.settings.contactAccount', hint: 'admin.settings.contactAccount.hint' },
      contactEmail: { label: 'admin.settings.contactEmail' },
      languages: { label: 'admin.settings.languages', hint: 'admin.settings.languages.hint' },
      membersStart: {
        label: 'admin.settings.membersStart',
        choices: {
          home: 'client.home',
          landing: 'admin.settings.membersStart.landing',
          client: 'admin.settings.membersStart.client',
        },
      },
      clientName: { label: 'admin.settings.clientName', hint: 'admin.settings.clientName.hint' },
      clientUrl: { label: 'admin.settings.clientUrl', hint: 'admin.settings.clientUrl.hint' },
      statusUrl: { label: 'admin.settings.pageAboutOutages' },
      privacyPolicy: {
        label: 'common.privacyPolicy',
        hint: 'admin.settings.privacyPolicy.hint',
        isLong: true,
      },
      termsOfService: {
        label: 'common.termsOfService',
        hint: 'admin.settings.termsOfService.hint',
        isLong: true,
      },
    },
  },
  {
    name: 'sign-up',
    title: 'admin.settings.signUp',
    settings: {
      registrations: {
        label: 'admin.settings.whoMaySignUp',
        choices: {
          open: 'admin.settings.everybody',
          approval: 'admin.settings.whomModeratorsApprove',
          closed: 'admin.settings.nobodyWithoutInvitation',
        },
      },
      registrationsMessage: { label: 'admin.settings.wordsSignUpPage', isLong: true },
      closeUnattended: { label: 'admin.settings.askApprovalWhenNo' },
      signUpChallenge: { label: 'admin.settings.makeBrowsersSolveSmall' },
      minimumAge: { label: 'admin.settings.minimumAge', hint: 'admin.settings.minimumAge.hint' },
      blockedEmailDomains: {
        label: 'admin.settings.refusedEmailDomains',
        hint: 'admin.settings.refusedEmailDomains.hint',
      },
      featuredAccounts: {
        label: 'admin.settings.accountsRecommendedNewMembers',
        hint: 'admin.settings.accountsRecommendedNewMembers.hint',
      },
    },
  },
  {
    name: 'visibility',
    title: 'admin.settings.whoSeesWhat',
    settings: {
      localFeedAccess: { label: 'admin.settings.timelineServer', choices: feedAccess },
      remoteFeedAccess: { label: 'admin.settings.timelineOtherServers', choices: feedAccess },
      localTagAccess: { label: 'admin.settings.postsServerByHashtag', choices: feedAccess },
      remoteTagAccess: { label: 'admin.settings.postsOtherServersBy', choices: feedAccess },
      profileDirectory: { label: 'admin.settings.directoryMembersWhoWant' },
      searchEngines: {
        label: 'admin.settings.letSearchEnginesRead',
        hint: 'admin.settings.letSearchEnginesRead.hint',
      },
      aiCrawlers: { label: 'admin.settings.letCrawlersReadPages' },
      peersApi: { label: 'admin.settings.listServersOneHas' },
      activityApi: { label: 'admin.settings.showHowActiveServer' },
      domainBlocksShownTo: { label: 'admin.settings.listLimitedServers', choices: audience },
      domainBlockReasonsShownTo: { label: 'admin.settings.reasonsLimits', choices: audience },
    },
  },
  {
    name: 'discovery',
    title: 'admin.settings.trendsAndStrangers',
    settings: {
      trends: { label: 'admin.settings.showTrends' },
      trendableByDefault: {
        label: 'admin.settings.letHashtagsPostsPages',
      },
      trendMinimumAccounts: { label: 'admin.settings.accountsBeforePageTrends' },
      trendMinimumTagAccounts: {
        label: 'admin.settings.accountsBeforeHashtagTrends',
        hint: 'admin.settings.empty52Fewer',
      },
      trendMinimumInteractions: {
        label: 'admin.settings.favouritesBoostsBeforePost',
        hint: 'admin.settings.empty52Fewer',
      },
      quarantineMentions: { label: 'admin.settings.holdBackMentionsBy' },
    },
  },
  {
    name: 'storage',
    title: 'admin.settings.storageBackupsAlerts',
    settings: {
      pruning: {
        label: 'admin.settings.deleteOldPostsAccounts',
        hint: 'admin.settings.deleteOldPostsAccounts.hint',
      },
      databaseMegabytes: {
        label: 'admin.settings.budgetDatabaseMegabytes',
        hint: 'admin.settings.emptyWhatFitsPlan',
      },
      keepRemoteStatusDays: { label: 'admin.settings.daysPostsOtherServers' },
      keepFollowedStatusDays: { label: 'admin.settings.daysPostsByAccounts' },
      keepRemoteAccountDays: { label: 'admin.settings.daysAccountsOtherServers' },
      keepNotificationDays: { label: 'admin.settings.daysForNotifications' },
      keepTombstoneDays: { label: 'admin.settings.daysRecordsDeletedPosts' },
      keepSeveredFollowDays: { label: 'admin.settings.daysFollowsBlockEnded' },
      keepSignUpAddressDays: { label: 'admin.settings.daysIpAddressesSign' },
      backups: { label: 'admin.settings.backDatabaseUpInto' },
      backupDays: { label: 'admin.settings.daysBetweenTwoBackups', hint: 'admin.settings.emptyWhatFitsPlan' },
      keepBackups: { label: 'admin.settings.backupsKept' },
      alertsWebhook: {
        label: 'admin.settings.addressToldWhatFails',
        hint: 'admin.settings.addressToldWhatFails.hint',
      },
      alertsEmail: { label: 'admin.settings.mailOwnersWhatFails' },
      releaseNotices: {
        label: 'admin.settings.releaseNotices',
        hint: 'admin.settings.releaseNotices.hint',
      },
    },
  },
]

/** Settings without a field here: those of the pages about branding and the plan, and what is made of pictures. */
export const hiddenSettings: readonly SettingName[] = [
  'thumbnail',
  'thumbnailLarge',
  'thumbnailBlurhash',
  'thumbnailDescription',
  'logo',
  'accentColour',
  'styleSheet',
  'customCss',
  'frontPage',
  'plan',
]
