import { allScopes, covers, grants, type Scope } from '../domain/sessions/scopes'

/** Risk of a scope: the harm an application could do with it. */
export type Risk = 'moderate' | 'act' | 'see'

export interface ScopeGroup {
  readonly risk: Risk
  readonly title: string
  readonly items: readonly ScopeItem[]
}

export interface ScopeItem {
  readonly scope: Scope
  readonly text: string
  /** Words for scopes that include others. */
  readonly includes: readonly string[]
}

const groups: readonly { readonly risk: Risk; readonly title: string }[] = [
  { risk: 'moderate', title: 'Moderate this server' },
  { risk: 'act', title: 'Act in your name' },
  { risk: 'see', title: 'See your data' },
]

/** Every scope in plain words; a sentence that follows “this application may”. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  read: 'Read everything your account can see, private posts and direct messages included',
  'read:accounts': 'See accounts and their details, yours included',
  'read:blocks': 'See whom you block',
  'read:bookmarks': 'See your bookmarks',
  'read:collections': 'See your collections of accounts',
  'read:favourites': 'See your favourites',
  'read:filters': 'See your filters',
  'read:follows': 'See whom you follow and who asks to follow you',
  'read:lists': 'See your lists',
  'read:mutes': 'See whom you mute',
  'read:notifications': 'Read your notifications',
  'read:search': 'Search for you',
  'read:statuses': 'Read every post you can see, private posts and direct messages included',
  write: 'Change everything in your account, and publish in your name',
  'write:accounts': 'Change your profile',
  'write:blocks': 'Block and unblock accounts and servers',
  'write:bookmarks': 'Add and remove bookmarks',
  'write:collections': 'Create, change and delete your collections',
  'write:conversations': 'Mute and delete conversations',
  'write:favourites': 'Favourite posts',
  'write:filters': 'Create, change and delete your filters',
  'write:follows': 'Follow and unfollow accounts',
  'write:lists': 'Create, change and delete your lists',
  'write:media': 'Upload pictures, video and sound',
  'write:mutes': 'Mute and unmute accounts and conversations',
  'write:notifications': 'Dismiss your notifications',
  'write:reports': 'Report others to the moderators',
  'write:statuses': 'Publish, edit and delete posts',
  follow: 'See and change whom you follow, mute and block',
  push: 'Send you push notifications',
  crypto: 'Exchange end-to-end encrypted messages in your name',
  profile: 'See who you are: your name, handle and picture',
  'admin:read': 'Read all data that moderators can see',
  'admin:read:accounts': 'Read personal details of all accounts, e-mail and IP addresses included',
  'admin:read:reports': 'Read all reports and the accounts they are about',
  'admin:read:domain_allows': 'See which servers are allowed',
  'admin:read:domain_blocks': 'See which servers are blocked',
  'admin:read:ip_blocks': 'See which IP addresses are blocked',
  'admin:read:email_domain_blocks': 'See which e-mail providers are blocked',
  'admin:read:canonical_email_blocks': 'See which e-mail addresses are blocked',
  'admin:write': 'Take every action that moderators can take',
  'admin:write:accounts': 'Suspend, limit and otherwise moderate accounts',
  'admin:write:reports': 'Handle reports',
  'admin:write:domain_allows': 'Change which servers are allowed',
  'admin:write:domain_blocks': 'Change which servers are blocked',
  'admin:write:ip_blocks': 'Change which IP addresses are blocked',
  'admin:write:email_domain_blocks': 'Change which e-mail providers are blocked',
  'admin:write:canonical_email_blocks': 'Change which e-mail addresses are blocked',
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
