import { humanName } from '../errors/sentences'
import { message } from '../lib/translate'
import { settingGroups } from './pages/admin/setting-groups'

/** Labels of fields that forms have, by the names that refusals of the domain begin with. */
const ofForms: Readonly<Record<string, string>> = {
  Account: message('Account'),
  Age: message('Age'),
  Agreement: message('Agreement'),
  Alias: message('Alias'),
  Archive: message('Archive'),
  'Attribution domains': message('Websites that may name you as the author'),
  Avatar: message('Profile picture'),
  'Avatar description': message('Description of the profile picture'),
  Boosts: message('Boosts'),
  'Canonical email hash': message('E-mail address'),
  Category: message('Category'),
  Challenge: message('Challenge'),
  Changelog: message('Changelog'),
  Code: message('Code'),
  'Collection ids': message('Collections'),
  'Collection limit': message('Collections a member may have'),
  Color: message('Colour'),
  Comment: message('Comment'),
  Content: message('Content'),
  Contexts: message('Where it applies'),
  'Current password': message('Current password'),
  'Date of birth': message('Date of birth'),
  'Display name': message('Display name'),
  Domain: message('Domain'),
  'Effective date': message('In force from'),
  Email: message('E-mail address'),
  Events: message('Events'),
  'Expires in': message('How long'),
  Favourites: message('Favourites'),
  Fields: message('Extra fields'),
  File: message('File'),
  Handle: message('Handle'),
  Header: message('Header picture'),
  'Header description': message('Description of the header picture'),
  Host: message('Server'),
  Image: message('Image'),
  'Inbox url': message('Inbox of the relay'),
  Ip: message('IP address or network'),
  Keyword: message('Keyword'),
  Keywords: message('Keywords'),
  Language: message('Language'),
  List: message('List'),
  Locale: message('Language of these pages'),
  'Max uses': message('Uses'),
  Name: message('Name'),
  Note: message('Note'),
  Password: message('Password'),
  'Password confirmation': message('Password confirmation'),
  Permissions: message('Permissions'),
  Picture: message('Picture'),
  Position: message('Rank'),
  'Posts type': message('What happens'),
  Presets: message('Prepared text'),
  Reason: message('Reason'),
  Report: message('Report'),
  'Rule ids': message('Rules'),
  Severity: message('Severity'),
  Shortcode: message('Shortcode'),
  'Status ids': message('Posts'),
  Statuses: message('Posts'),
  Template: message('Template'),
  Text: message('Text'),
  'The list': message('The list'),
  'Time zone': message('Time zone'),
  Title: message('Title'),
  Type: message('What happens'),
  Url: message('Address'),
  Username: message('Username'),
}

/** Labels of settings, by their names. */
const ofSettings: ReadonlyMap<string, string> = new Map(
  settingGroups.flatMap(({ settings }) =>
    Object.entries(settings).map(([name, { label }]) => [humanName(name), label] as const),
  ),
)

/** Labels of what else entries of the audit log keep. */
const ofAuditLog: Readonly<Record<string, string>> = {
  Action: message('Decision'),
  Added: message('Added'),
  'All day': message('All day'),
  'Allow with approval': message('Sign-up with approval'),
  Approved: message('Approved'),
  'Assigned account id': message('Assigned to'),
  'Block email': message('E-mail address blocked'),
  Bytes: message('Bytes'),
  Changed: message('Changed'),
  Changes: message('Changes'),
  Characters: message('Characters'),
  Count: message('Number'),
  Disable: message('Account disabled'),
  Disabled: message('Disabled'),
  Domains: message('Domains'),
  Enabled: message('Enabled'),
  'Ends at': message('Event ends'),
  Exact: message('Exactly this name'),
  'Expires at': message('Ends'),
  'Failing since': message('Fails since'),
  Files: message('Files'),
  'Followers count': message('Followers'),
  'Following count': message('Following'),
  Highlighted: message('Badge on profiles'),
  Hint: message('Explanation'),
  Ids: message('Order'),
  Lift: message('Limits lifted'),
  Listable: message('Can be found'),
  'Moved to': message('Moved to'),
  'Note id': message('Number of the note'),
  Notify: message('Members told'),
  Obfuscate: message('Name shown in part'),
  'Private comment': message('Comment for moderators'),
  'Public comment': message('Public reason'),
  'Published at': message('Published'),
  'Reject media': message('Media refused'),
  'Reject reports': message('Reports ignored'),
  'Report id': message('Report'),
  'Require two factor': message('Second factor required'),
  Resolved: message('Resolved'),
  Role: message('Role'),
  Scopes: message('Permissions'),
  Sensitive: message('Media marked as sensitive'),
  Shortcodes: message('Shortcodes'),
  Silence: message('Limited'),
  'Starts at': message('Event begins'),
  'Skip sign in token': message('No code at sign-in'),
  State: message('State'),
  'Strike id': message('Number of the decision'),
  Suspend: message('Suspended'),
  Texts: message('Rules'),
  Translations: message('Translations'),
  Trendable: message('May trend'),
  Usable: message('May be used'),
  'Visible in picker': message('Offered by the pickers of apps'),
}

/** Key of the tables for a name that the API has, as `Rule ids`, `rule_ids` or `ruleIds`. */
const keyOf = (name: string) => humanName(name.charAt(0).toLowerCase() + name.slice(1))

/** Label of a field of a form by the name that the API has for it. Null for an unknown one. */
export function formFieldText(name: string): string | null {
  const key = keyOf(name)
  return (Object.hasOwn(ofForms, key) ? ofForms[key] : ofSettings.get(key)) ?? null
}

/** Label of a changed field of the audit log, likewise. */
export function auditFieldText(name: string): string | null {
  const key = keyOf(name)
  return formFieldText(name) ?? (Object.hasOwn(ofAuditLog, key) ? ofAuditLog[key] : null) ?? null
}
