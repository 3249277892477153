import type { AuditAction, AuditTargetType } from '../domain/core/audit'
import { message } from '../lib/translate'

/** Words for administrative acts, as the audit log shows them. */
const actionTexts: Readonly<Record<AuditAction, string>> = {
  approve: message('Approved'),
  assign: message('Assigned'),
  assign_to_self: message('Assigned to themselves'),
  change_password: message('Password changed'),
  change_role: message('Role changed'),
  check: message('Checked'),
  clean: message('Cleaned up'),
  close_unattended: message('Closed for want of moderators'),
  confirm: message('Confirmed'),
  create: message('Created'),
  create_token: message('Token created'),
  delete: message('Deleted'),
  delete_note: message('Note deleted'),
  delete_statuses: message('Posts deleted'),
  disable: message('Disabled'),
  disable_2fa: message('Two-factor sign-in switched off'),
  download: message('Downloaded'),
  drop: message('Given up'),
  enable: message('Enabled'),
  expire: message('Expired'),
  expire_all: message('All expired'),
  import: message('Imported'),
  mark_statuses_as_sensitive: message('Posts marked as sensitive'),
  move: message('Moved'),
  note: message('Note added'),
  notify: message('People notified'),
  order: message('Reordered'),
  publish: message('Made public'),
  rebuild: message('Rebuilt'),
  reject: message('Rejected'),
  rename: message('Renamed'),
  reopen: message('Reopened'),
  replace: message('Replaced'),
  reset_password: message('Password reset'),
  resolve: message('Marked as resolved'),
  restore: message('Restored'),
  retry: message('Tried again'),
  revoke_token: message('Token revoked'),
  rotate_keys: message('Keys renewed'),
  rotate_secret: message('Secret renewed'),
  sensitive: message('Media marked as sensitive'),
  silence: message('Account limited'),
  suspend: message('Account suspended'),
  unassign: message('Unassigned'),
  unmark_statuses_as_sensitive: message('Posts no longer marked as sensitive'),
  unpublish: message('Withdrawn'),
  unsensitive: message('Media no longer marked as sensitive'),
  unsilence: message('Limit lifted'),
  unsuspend: message('Suspension lifted'),
  update: message('Changed'),
  warn: message('Warned'),
}

/** Words for kinds of what administrative acts are done to. */
const targetTexts: Readonly<Record<AuditTargetType, string>> = {
  account: message('Account'),
  announcement: message('Announcement'),
  appeal: message('Appeal against a strike'),
  archive_import: message('Imported archive'),
  backup: message('Backup of the server'),
  blocklist: message('Blocklist'),
  blocklist_exception: message('Exception from blocklists'),
  canonical_email_block: message('Blocked e-mail address'),
  counters: message('Counters'),
  custom_emoji: message('Custom emoji'),
  custom_emoji_category: message('Category of custom emojis'),
  dead_letter: message('Job that failed'),
  deliveries: message('Deliveries to a server'),
  domain_allow: message('Allowed server'),
  domain_block: message('Limit on a server'),
  email_domain_block: message('Blocked e-mail domain'),
  invite: message('Invitation'),
  ip_block: message('Blocked network'),
  link: message('Link in trends'),
  media: message('Media'),
  outbox: message('Effect that waits'),
  publisher: message('Publisher in trends'),
  relay: message('Relay'),
  report: message('Report'),
  role: message('Role'),
  rule: message('Rule'),
  search_index: message('Search index'),
  settings: message('Settings'),
  severance: message('Ended follows'),
  status: message('Post of an account'),
  tag: message('Hashtag'),
  terms_of_service: message('Terms of service'),
  username_block: message('Blocked username'),
  warning_preset: message('Prepared text'),
  webhook: message('Webhook'),
}

const ofActions = new Map<string, string>(Object.entries(actionTexts))
const ofTargets = new Map<string, string>(Object.entries(targetTexts))

/** Words for a stored act. One that this version does not know is shown as it is stored. */
export function actionText(stored: string): string {
  return ofActions.get(stored) ?? stored
}

/** Words for a stored kind of target, likewise. */
export function targetText(stored: string): string {
  return ofTargets.get(stored) ?? stored
}
