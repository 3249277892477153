import { allScopes, covers, grants, type Scope } from '../domain/sessions/scopes'
import type { TextKey } from '../lib/translate'

/** Risk of a scope: the harm an application could do with it. */
export type Risk = 'moderate' | 'act' | 'see'

export interface ScopeGroup {
  readonly risk: Risk
  readonly title: TextKey
  readonly items: readonly ScopeItem[]
}

export interface ScopeItem {
  readonly scope: Scope
  readonly text: TextKey
  /** Words for scopes that include others. */
  readonly includes: readonly TextKey[]
}

const groups: readonly { readonly risk: Risk; readonly title: TextKey }[] = [
  { risk: 'moderate', title: 'scope.moderateThisServer' },
  { risk: 'act', title: 'scope.actName' },
  { risk: 'see', title: 'scope.seeYourData' },
]

/** Every scope in plain words; a sentence that follows “this application may”. */
export const scopeTexts: Readonly<Record<Scope, TextKey>> = {
  read: 'scope.readEverythingAccountCan',
  'read:accounts': 'scope.seeAccountsDetailsYours',
  'read:blocks': 'scope.seeWhomBlock',
  'read:bookmarks': 'scope.seeYourBookmarks',
  'read:collections': 'scope.seeCollectionsAccounts',
  'read:favourites': 'scope.seeYourFavourites',
  'read:filters': 'scope.seeYourFilters',
  'read:follows': 'scope.seeWhomFollowWho',
  'read:lists': 'scope.seeYourLists',
  'read:mutes': 'scope.seeWhomMute',
  'read:notifications': 'scope.readYourNotifications',
  'read:search': 'scope.searchForYou',
  'read:statuses': 'scope.readEveryPostCan',
  write: 'scope.changeEverythingAccountPublish',
  'write:accounts': 'scope.changeYourProfile',
  'write:blocks': 'scope.blockUnblockAccountsServers',
  'write:bookmarks': 'scope.addRemoveBookmarks',
  'write:collections': 'scope.createChangeDeleteCollections',
  'write:conversations': 'scope.muteDeleteConversations',
  'write:favourites': 'scope.favouritePosts',
  'write:filters': 'scope.createChangeDeleteFilters',
  'write:follows': 'scope.followUnfollowAccounts',
  'write:lists': 'scope.createChangeDeleteLists',
  'write:media': 'scope.uploadPicturesVideoSound',
  'write:mutes': 'scope.muteUnmuteAccountsConversations',
  'write:notifications': 'scope.dismissYourNotifications',
  'write:reports': 'scope.reportOthersModerators',
  'write:statuses': 'scope.publishEditDeletePosts',
  follow: 'scope.seeChangeWhomFollow',
  push: 'scope.sendPushNotifications',
  crypto: 'scope.exchangeEndEndEncrypted',
  profile: 'scope.seeWhoNameHandle',
  'admin:read': 'scope.readAllDataModerators',
  'admin:read:accounts': 'scope.readPersonalDetailsAll',
  'admin:read:reports': 'scope.readAllReportsAccounts',
  'admin:read:domain_allows': 'scope.seeWhichServersAllowed',
  'admin:read:domain_blocks': 'scope.seeWhichServersBlocked',
  'admin:read:ip_blocks': 'scope.seeWhichIpAddresses',
  'admin:read:email_domain_blocks': 'scope.seeWhichEmailProviders',
  'admin:read:canonical_email_blocks': 'scope.seeWhichEmailAddresses',
  'admin:write': 'scope.takeEveryActionModerators',
  'admin:write:accounts': 'scope.suspendLimitOtherwiseModerate',
  'admin:write:reports': 'common.handleReports',
  'admin:write:domain_allows': 'scope.changeWhichServersAllowed',
  'admin:write:domain_blocks': 'scope.changeWhichServersBlocked',
  'admin:write:ip_blocks': 'scope.changeWhichIpAddresses',
  'admin:write:email_domain_blocks': 'scope.changeWhichEmailProviders',
  'admin:write:canonical_email_blocks': 'scope.changeWhichEmailAddresses',
}

/**
 * The scopes an application asks for as a person should read them: the riskiest first, and without those
 * that a broader one among them already grants.
 */
export function groupScopes(scopes: readonly Scope[]): readonly ScopeGroup[] {
  const broadest = withoutFollow(
    allScopes.filter((scope) => scopes.includes(scope) && !isGranted(scope, scopes)),
  )
  return groups
    .map((group) => ({ ...group, items: broadest.filter((scope) => riskOf(scope) === group.risk).map(item) }))
    .filter(({ items }) => items.length > 0)
}

function isGranted(scope: Scope, scopes: readonly Scope[]): boolean {
  const others = scopes.filter((other) => other !== scope)
  return grants(others, scope)
}

/** Old apps ask for `read write follow`, where `follow` adds nothing. */
function withoutFollow(scopes: readonly Scope[]): readonly Scope[] {
  const others = scopes.filter((scope) => scope !== 'follow')
  return covers(others, childrenOf('follow')) ? others : scopes
}

function childrenOf(scope: Scope): readonly Scope[] {
  return allScopes.filter((other) => other !== scope && grants([scope], other))
}

function item(scope: Scope): ScopeItem {
  return { scope, text: scopeTexts[scope], includes: childrenOf(scope).map((child) => scopeTexts[child]) }
}

function riskOf(scope: Scope): Risk {
  if (scope.startsWith('admin:')) return 'moderate'
  return ['follow', 'crypto', 'write'].includes(scope) || scope.startsWith('write:') ? 'act' : 'see'
}
