const reading = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'favourites',
  'filters',
  'follows',
  'lists',
  'mutes',
  'notifications',
  'search',
  'statuses',
] as const

const writing = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'conversations',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'statuses',
] as const

const administering = [
  'accounts',
  'reports',
  'domain_allows',
  'domain_blocks',
  'ip_blocks',
  'email_domain_blocks',
  'canonical_email_blocks',
] as const

export type Scope =
  | 'read'
  | `read:${(typeof reading)[number]}`
  | 'write'
  | `write:${(typeof writing)[number]}`
  | 'follow'
  | 'push'
  | 'crypto'
  | 'profile'
  | 'admin:read'
  | `admin:read:${(typeof administering)[number]}`
  | 'admin:write'
  | `admin:write:${(typeof administering)[number]}`

/** Every scope there is, in the order the documentation lists them. */
export const allScopes: readonly Scope[] = [
  'read',
  ...reading.map((name) => `read:${name}` as const),
  'write',
  ...writing.map((name) => `write:${name}` as const),
  'follow',
  'push',
  'crypto',
  'profile',
  'admin:read',
  ...administering.map((name) => `admin:read:${name}` as const),
  'admin:write',
  ...administering.map((name) => `admin:write:${name}` as const),
]

/** Deprecated since 3.5, still sent by old apps: it stands for these six. */
const followGrants: readonly Scope[] = [
  'read:blocks',
  'read:follows',
  'read:mutes',
  'write:blocks',
  'write:follows',
  'write:mutes',
]

/** Is `wanted` among the `held` scopes, itself or through a parent? */
export function grants(held: readonly string[], wanted: Scope): boolean {
  if (held.includes(wanted)) return true
  if (followGrants.includes(wanted) && held.includes('follow')) return true
  const parent = wanted.slice(0, Math.max(0, wanted.lastIndexOf(':')))
  return parent !== '' && held.includes(parent)
}

/** Space-separated text to a list without duplicates, in order; null when it names an unknown scope. */
export function parseScopes(text: string): readonly Scope[] | null {
  const names = [...new Set(text.split(/[\s+]+/).filter((name) => name !== ''))]
  const known = names.flatMap((name) => allScopes.filter((scope) => scope === name))
  return known.length === names.length ? known : null
}

/** A set of scopes as one text, the same for every order in which a client names them: what tokens are found by. */
export function scopeText(scopes: readonly string[]): string {
  return allScopes.filter((scope) => scopes.includes(scope)).join(' ')
}

/** Every scope of `wanted` is granted by `held`. */
export function covers(held: readonly string[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => grants(held, scope))
}
