import { Forbidden } from '../../errors'

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

/** Every scope, in the order of the documentation. */
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

/** Scopes covered by `follow`: deprecated since 3.5, still sent by old apps. */
const followGrants: readonly Scope[] = [
  'read:blocks',
  'read:follows',
  'read:mutes',
  'write:blocks',
  'write:follows',
  'write:mutes',
]

/** Whether `wanted` is among the `held` scopes, itself or through a parent. */
export function grants(held: readonly string[], wanted: Scope): boolean {
  if (held.includes(wanted)) return true
  if (followGrants.includes(wanted) && held.includes('follow')) return true
  const parent = wanted.slice(0, Math.max(0, wanted.lastIndexOf(':')))
  return parent !== '' && held.includes(parent)
}

/** Parses space-separated scopes to a list without duplicates, in order; null when one is unknown. */
export function parseScopes(text: string): readonly Scope[] | null {
  const names = [...new Set(text.split(/[\s+]+/).filter((name) => name !== ''))]
  const scopes = names.flatMap((name) => allScopes.filter((scope) => scope === name))
  return scopes.length === names.length ? scopes : null
}

/** Canonical text of a set of scopes, independent of the order a client uses. Tokens are looked up by it. */
export function scopeText(scopes: readonly string[]): string {
  return allScopes.filter((scope) => scopes.includes(scope)).join(' ')
}

/** Whether every scope of `wanted` is granted by `held`. */
export function covers(held: readonly string[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => grants(held, scope))
}

/** `Forbidden` where none of the granted scopes includes `scope`. */
export function requireScope({ scopes }: { readonly scopes: readonly string[] }, scope: Scope | null): void {
  if (scope !== null && !grants(scopes, scope)) throw new Forbidden('outside_scopes')
}
