import type { AuditAction, AuditTargetType } from '../domain/core/audit'
import { storedText, type TextKey, type TranslateText } from '../lib/translate'

/** Words for administrative acts, as the audit log shows them. */
const actionTexts: Readonly<Record<AuditAction, TextKey>> = {
  approve: 'field.approved',
  assign: 'audit.assigned',
  assign_to_self: 'audit.assignedToThemselves',
  change_password: 'audit.passwordChanged',
  change_role: 'audit.roleChanged',
  check: 'audit.checked',
  clean: 'audit.cleanedUp',
  close_unattended: 'audit.closedWantModerators',
  confirm: 'audit.confirmed',
  create: 'audit.created',
  create_token: 'audit.tokenCreated',
  delete: 'audit.deleted',
  delete_note: 'audit.noteDeleted',
  delete_statuses: 'audit.postsDeleted',
  disable: 'field.disabled',
  disable_2fa: 'audit.twoFactorSignSwitched',
  download: 'audit.downloaded',
  drop: 'audit.givenUp',
  enable: 'field.enabled',
  expire: 'audit.expired',
  expire_all: 'audit.allExpired',
  import: 'audit.imported',
  mark_statuses_as_sensitive: 'audit.postsMarkedSensitive',
  move: 'audit.moved',
  note: 'audit.noteAdded',
  notify: 'audit.peopleNotified',
  order: 'audit.reordered',
  publish: 'audit.madePublic',
  rebuild: 'audit.rebuilt',
  reject: 'audit.rejected',
  rename: 'audit.renamed',
  reopen: 'audit.reopened',
  replace: 'audit.replaced',
  reset_password: 'audit.passwordReset',
  resolve: 'audit.markedAsResolved',
  restore: 'audit.restored',
  retry: 'audit.triedAgain',
  revoke_token: 'audit.tokenRevoked',
  rotate_keys: 'audit.keysRenewed',
  rotate_secret: 'audit.secretRenewed',
  sensitive: 'field.mediaMarkedSensitive',
  silence: 'audit.accountLimited',
  suspend: 'audit.accountSuspended',
  unassign: 'audit.unassigned',
  unmark_statuses_as_sensitive: 'audit.postsNoLongerMarked',
  unpublish: 'audit.withdrawn',
  unsensitive: 'audit.mediaNoLongerMarked',
  unsilence: 'audit.limitLifted',
  unsuspend: 'audit.suspensionLifted',
  update: 'field.changed',
  warn: 'audit.warned',
}

/** Words for kinds of what administrative acts are done to. */
const targetTexts: Readonly<Record<AuditTargetType, TextKey>> = {
  account: 'field.account',
  announcement: 'admin.announcements.announcement',
  appeal: 'audit.appealAgainstStrike',
  archive_import: 'audit.importedArchive',
  backup: 'audit.backupServer',
  blocklist: 'admin.blocklist',
  blocklist_exception: 'audit.exceptionFromBlocklists',
  canonical_email_block: 'audit.blockedEmailAddress',
  counters: 'audit.counters',
  custom_emoji: 'admin.customEmojis.customEmoji',
  custom_emoji_category: 'audit.categoryCustomEmojis',
  dead_letter: 'audit.jobThatFailed',
  deliveries: 'audit.deliveriesServer',
  domain_allow: 'admin.domainAllows.allowedServer',
  domain_block: 'audit.limitServer',
  email_domain_block: 'audit.blockedEmailDomain',
  invite: 'settings.invites.invitation',
  ip_block: 'audit.blockedNetwork',
  link: 'audit.linkInTrends',
  media: 'common.media',
  outbox: 'audit.effectThatWaits',
  publisher: 'audit.publisherInTrends',
  relay: 'admin.relays.relay',
  report: 'field.report',
  role: 'field.role',
  rule: 'admin.rules.rule',
  search_index: 'audit.searchIndex',
  settings: 'common.settings',
  severance: 'admin.endedFollows',
  status: 'audit.postAccount',
  tag: 'settings.hashtag',
  terms_of_service: 'common.termsOfService',
  username_block: 'audit.blockedUsername',
  warning_preset: 'field.savedReply',
  webhook: 'admin.webhooks.webhook',
}

const ofActions = new Map<string, TextKey>(Object.entries(actionTexts))
const ofTargets = new Map<string, TextKey>(Object.entries(targetTexts))

/** Words for a stored act. One that this version does not know is shown as it is stored. */
export function actionText(t: TranslateText, stored: string): string {
  return storedText(t, ofActions.get(stored), stored)
}

/** Words for a stored kind of target, likewise. */
export function targetText(t: TranslateText, stored: string): string {
  return storedText(t, ofTargets.get(stored), stored)
}
