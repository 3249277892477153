import { humanName } from '../errors/sentences'
import type { TextKey } from '../lib/translate'
import { settingGroups } from './pages/admin/setting-groups'

/** Labels of fields that forms have, by the names that refusals of the domain begin with. */
const ofForms: Readonly<Record<string, TextKey>> = {
  Account: 'field.account',
  Age: 'field.age',
  Agreement: 'field.agreement',
  Alias: 'field.alias',
  Archive: 'field.archive',
  'Attribution domains': 'field.websitesMayNameAuthor',
  Avatar: 'field.profilePicture',
  'Avatar description': 'field.descriptionProfilePicture',
  Boosts: 'field.boosts',
  'Canonical email hash': 'field.emailAddress',
  Category: 'field.category',
  Challenge: 'field.challenge',
  Changelog: 'field.changelog',
  Code: 'field.code',
  'Collection ids': 'field.collections',
  'Collection limit': 'field.collectionsMemberMayHave',
  Color: 'field.colour',
  Comment: 'field.comment',
  Content: 'field.content',
  Contexts: 'field.whereItApplies',
  'Current password': 'field.currentPassword',
  'Date of birth': 'field.dateOfBirth',
  'Display name': 'field.displayName',
  Domain: 'field.domain',
  'Effective date': 'field.inForceFrom',
  Email: 'field.emailAddress',
  Events: 'field.events',
  'Expires in': 'field.expiry',
  Favourites: 'field.favourites',
  Fields: 'field.extraFields',
  File: 'field.file',
  Handle: 'field.handle',
  Header: 'field.headerPicture',
  'Header description': 'field.descriptionHeaderPicture',
  Host: 'field.server',
  Image: 'field.image',
  'Inbox url': 'field.inboxRelay',
  Ip: 'field.ipAddressNetwork',
  Keyword: 'field.keyword',
  Keywords: 'field.keywords',
  Language: 'field.language',
  List: 'field.list',
  Locale: 'field.languagePages',
  'Max uses': 'field.uses',
  Name: 'field.name',
  Note: 'field.note',
  Password: 'field.password',
  'Password confirmation': 'field.passwordConfirmation',
  Permissions: 'field.permissions',
  Picture: 'field.picture',
  Position: 'field.rank',
  'Posts type': 'field.whatHappens',
  Presets: 'field.savedReply',
  Reason: 'field.reason',
  Report: 'field.report',
  'Rule ids': 'field.rules',
  Severity: 'field.severity',
  Shortcode: 'field.shortcode',
  'Status ids': 'field.posts',
  Statuses: 'field.posts',
  Template: 'field.template',
  Text: 'field.text',
  'The list': 'field.theList',
  'Time zone': 'field.timeZone',
  Title: 'field.title',
  Type: 'field.whatHappens',
  Url: 'field.address',
  Username: 'field.username',
}

/** Labels of settings, by their names. */
const ofSettings: ReadonlyMap<string, TextKey> = new Map(
  settingGroups.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, { label }]) => [humanName(name), label] as const),
  ),
)

/** Labels of what else entries of the audit log keep. */
const ofAuditLog: Readonly<Record<string, TextKey>> = {
  Action: 'field.decision',
  Added: 'field.added',
  'All day': 'field.allDay',
  'Allow with approval': 'field.signUpApproval',
  Approved: 'field.approved',
  'Assigned account id': 'field.assignedTo',
  'Block email': 'field.emailAddressBlocked',
  Bytes: 'field.bytes',
  Changed: 'field.changed',
  Changes: 'field.changes',
  Characters: 'field.characters',
  Count: 'field.number',
  Disable: 'field.accountDisabled',
  Disabled: 'field.disabled',
  Domains: 'field.domains',
  Enabled: 'field.enabled',
  'Ends at': 'field.eventEnds',
  Exact: 'field.exactlyThisName',
  'Expires at': 'field.ends',
  'Failing since': 'field.failsSince',
  Files: 'field.files',
  'Followers count': 'field.followers',
  'Following count': 'field.following',
  Highlighted: 'field.badgeOnProfiles',
  Hint: 'field.explanation',
  Ids: 'field.order',
  Lift: 'field.limitsLifted',
  Listable: 'field.canBeFound',
  'Moved to': 'field.movedTo',
  'Note id': 'field.numberNote',
  Notify: 'field.membersTold',
  Obfuscate: 'field.nameShownPart',
  'Private comment': 'field.commentForModerators',
  'Public comment': 'field.publicReason',
  'Published at': 'field.published',
  'Reject media': 'field.mediaRefused',
  'Reject reports': 'field.reportsIgnored',
  'Report id': 'field.report',
  'Require two factor': 'field.secondFactorRequired',
  Resolved: 'field.resolved',
  Role: 'field.role',
  Scopes: 'field.permissions',
  Sensitive: 'field.mediaMarkedSensitive',
  Shortcodes: 'field.shortcodes',
  Silence: 'field.limited',
  'Starts at': 'field.eventBegins',
  'Skip sign in token': 'field.noCodeSign',
  State: 'field.state',
  'Strike id': 'field.numberDecision',
  Suspend: 'field.suspended',
  Texts: 'field.rules',
  Translations: 'field.translations',
  Trendable: 'field.mayTrend',
  Usable: 'field.mayBeUsed',
  'Visible in picker': 'field.offeredByPickersApps',
}

/** Key of the tables for a name that the API has, as `Rule ids`, `rule_ids` or `ruleIds`. */
const keyOf = (name: string) => humanName(name.charAt(0).toLowerCase() + name.slice(1))

/** Label of a field of a form by the name that the API has for it. Null for an unknown one. */
export function formFieldText(name: string): TextKey | null {
  const key = keyOf(name)
  return (Object.hasOwn(ofForms, key) ? ofForms[key] : ofSettings.get(key)) ?? null
}

/** Label of a changed field of the audit log, likewise. */
export function auditFieldText(name: string): TextKey | null {
  const key = keyOf(name)
  return formFieldText(name) ?? (Object.hasOwn(ofAuditLog, key) ? ofAuditLog[key] : null) ?? null
}
