import { allScopes, covers, grants, type Scope } from '../domain/sessions/scopes'
import { message } from '../lib/translate'

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
  { risk: 'moderate', title: message('Moderate this server') },
  { risk: 'act', title: message('Act in your name') },
  { risk: 'see', title: message('See your data') },
]

/** Every scope in plain words; a sentence that follows “this application may”. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  read: message('Read everything your account can see, private posts and direct messages included'),
  'read:accounts': message('See accounts and their details, yours included'),
  'read:blocks': message('See whom you block'),
  'read:bookmarks': message('See your bookmarks'),
  'read:collections': message('See your collections of accounts'),
  'read:favourites': message('See your favourites'),
  'read:filters': message('See your filters'),
  'read:follows': message('See whom you follow and who asks to follow you'),
  'read:lists': message('See your lists'),
  'read:mutes': message('See whom you mute'),
  'read:notifications': message('Read your notifications'),
  'read:search': message('Search for you'),
  'read:statuses': message('Read every post you can see, private posts and direct messages included'),
  write: message('Change everything in your account, and publish in your name'),
  'write:accounts': message('Change your profile'),
  'write:blocks': message('Block and unblock accounts and servers'),
  'write:bookmarks': message('Add and remove bookmarks'),
  'write:collections': message('Create, change and delete your collections'),
  'write:conversations': message('Mute and delete conversations'),
  'write:favourites': message('Favourite posts'),
  'write:filters': message('Create, change and delete your filters'),
  'write:follows': message('Follow and unfollow accounts'),
  'write:lists': message('Create, change and delete your lists'),
  'write:media': message('Upload pictures, video and sound'),
  'write:mutes': message('Mute and unmute accounts and conversations'),
  'write:notifications': message('Dismiss your notifications'),
  'write:reports': message('Report others to the moderators'),
  'write:statuses': message('Publish, edit and delete posts'),
  follow: message('See and change whom you follow, mute and block'),
  push: message('Send you push notifications'),
  crypto: message('Exchange end-to-end encrypted messages in your name'),
  profile: message('See who you are: your name, handle and picture'),
  'admin:read': message('Read all data that moderators can see'),
  'admin:read:accounts': message('Read personal details of all accounts, e-mail and IP addresses included'),
  'admin:read:reports': message('Read all reports and the accounts they are about'),
  'admin:read:domain_allows': message('See which servers are allowed'),
  'admin:read:domain_blocks': message('See which servers are blocked'),
  'admin:read:ip_blocks': message('See which IP addresses are blocked'),
  'admin:read:email_domain_blocks': message('See which e-mail providers are blocked'),
  'admin:read:canonical_email_blocks': message('See which e-mail addresses are blocked'),
  'admin:write': message('Take every action that moderators can take'),
  'admin:write:accounts': message('Suspend, limit and otherwise moderate accounts'),
  'admin:write:reports': message('Handle reports'),
  'admin:write:domain_allows': message('Change which servers are allowed'),
  'admin:write:domain_blocks': message('Change which servers are blocked'),
  'admin:write:ip_blocks': message('Change which IP addresses are blocked'),
  'admin:write:email_domain_blocks': message('Change which e-mail providers are blocked'),
  'admin:write:canonical_email_blocks': message('Change which e-mail addresses are blocked'),
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
