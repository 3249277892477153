/** A handle as people write it; `domain` null stands for this server. */
export interface Handle {
  readonly username: string
  readonly domain: string | null
}

const form = /^@?([\w](?:[\w.-]*\w)?)(?:@([^\s@/?#]+))?$/

/**
 * Parses `name`, `@name` or `name@host`; this server's own domains become null.
 *
 * Null for invalid handles. The host is returned in ASCII and lower case; the name as typed.
 */
export function parseHandle(text: string, ownDomains: readonly string[]): Handle | null {
  const [, username, host] = form.exec(text.trim()) ?? []
  if (username === undefined) return null
  if (host === undefined) return { username, domain: null }
  const domain = parseDomain(host)
  if (domain === null) return null
  return ownSpelledOut({ username, domain }, ownDomains)
}

const profilePath = /^\/(?:@|users\/|u\/|profile\/|accounts\/)([^/@]+(?:@[^/@]+)?)\/?$/

/**
 * Parses an account as lists name it: a handle, one behind `acct:`, or the address of a profile, also of a profile as
 * another server shows it (`https://host/@name@other`). Null for anything else.
 */
export function parseAccountReference(text: string, ownDomains: readonly string[]): Handle | null {
  const trimmed = text.trim().replace(/^acct:/i, '')
  if (!/^https?:\/\//i.test(trimmed)) return parseHandle(trimmed, ownDomains)
  const url = URL.parse(trimmed)
  const name = profilePath.exec(url?.pathname ?? '')?.[1]
  if (url === null || name === undefined) return null
  return parseHandle(name.includes('@') ? name : `${name}@${url.host}`, ownDomains)
}

/** Replaces an own domain by null: both name a local account. */
export function ownSpelledOut({ username, domain }: Handle, ownDomains: readonly string[]): Handle {
  return { username, domain: domain !== null && ownDomains.includes(domain) ? null : domain }
}

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** Parses a bare host, with its port if any, to ASCII and lower case; null if invalid. */
export function parseDomain(text: string): string | null {
  const bare = text.trim().replace(/\.$/, '')
  if (bare === '' || /[\s/?#@\\%]/.test(bare)) return null
  const url = URL.parse(`https://${bare}`)
  if (url === null || url.hostname.length > 253) return null
  return url.hostname.split('.').every((part) => part.length <= 63 && label.test(part)) ? url.host : null
}

/** Parses a server as lists name it: a bare host, or its web address without a path. Null for anything else. */
export function parseServer(text: string): string | null {
  return parseDomain(
    text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, ''),
  )
}

/** Parses the beginning of a host to ASCII and lower case; null if no host can begin so. */
export function parseDomainBeginning(text: string): string | null {
  const bare = text.trim().replace(/[.-]$/, '')
  if (bare === '') return null
  // The suffix keeps digits alone from being parsed as an IP address.
  return parseDomain(`${bare}.x`)?.slice(0, -'.x'.length) ?? null
}

/** Whether the username of a remote account is the placeholder it got when its handle passed to another actor. */
export function hasRetiredHandle(account: {
  readonly id: number
  readonly username: string
  readonly domain: string | null
}): boolean {
  return account.domain !== null && account.username.endsWith(`.${account.id}`)
}
