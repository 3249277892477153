/** An account's name as people write it; `domain` null stands for this server. */
export interface Handle {
  readonly username: string
  readonly domain: string | null
}

const form = /^@?([\w](?:[\w.-]*\w)?)(?:@([^\s@/?#]+))?$/

/**
 * Reads `name`, `@name` or `name@host`, with this server's own domains taken as none.
 *
 * Null for what cannot be a handle. The host comes out in ASCII and lower case; the name as typed.
 */
export function parseHandle(text: string, ownDomains: readonly string[]): Handle | null {
  const [, username, host] = form.exec(text.trim()) ?? []
  if (username === undefined) return null
  if (host === undefined) return { username, domain: null }
  const domain = parseDomain(host)
  if (domain === null) return null
  return ownSpelledOut({ username, domain }, ownDomains)
}

/** One of our own domains, spelled out, means the same as none. */
export function ownSpelledOut({ username, domain }: Handle, ownDomains: readonly string[]): Handle {
  return { username, domain: domain !== null && ownDomains.includes(domain) ? null : domain }
}

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** A bare host, with its port where it has one, in ASCII and lower case; null for what is no host. */
export function parseDomain(text: string): string | null {
  const bare = text.trim().replace(/\.$/, '')
  if (bare === '' || /[\s/?#@\\%]/.test(bare)) return null
  const url = URL.parse(`https://${bare}`)
  if (url === null || url.hostname.length > 253) return null
  return url.hostname.split('.').every((part) => part.length <= 63 && label.test(part)) ? url.host : null
}

/** The beginning of a host, in ASCII and lower case; null for what begins none. */
export function parseDomainBeginning(text: string): string | null {
  const bare = text.trim().replace(/[.-]$/, '')
  if (bare === '') return null
  // Digits alone would be read as an IP address.
  return parseDomain(`${bare}.x`)?.slice(0, -'.x'.length) ?? null
}
