import { parseDomain, parseHandle } from '../../../contract/handle'

/** The server that a visitor named: by their handle, or by its address alone. */
export type AskedServer =
  | { readonly kind: 'own' }
  | { readonly kind: 'other'; readonly username: string | null; readonly domain: string }

const mostCharacters = 500

/** Parses `name@host`, `host`, or the address of a profile or server; null for anything else. */
export function parseAskedServer(text: string, ownDomains: readonly string[]): AskedServer | null {
  const trimmed = text.trim().slice(0, mostCharacters)
  const web = /^https?:\/\//i.test(trimmed) ? URL.parse(trimmed) : null
  if (web !== null) {
    const name = /^\/@([^/@]+)/.exec(web.pathname)?.[1]
    return parseAskedServer(name === undefined ? web.host : `${name}@${web.host}`, ownDomains)
  }
  if (!trimmed.replace(/^@/, '').includes('@')) {
    const domain = trimmed.includes('.') ? parseDomain(trimmed) : null
    if (domain === null) return null
    return ownDomains.includes(domain) ? { kind: 'own' } : { kind: 'other', username: null, domain }
  }
  const handle = parseHandle(trimmed, ownDomains)
  if (handle === null) return null
  const { username, domain } = handle
  return domain === null ? { kind: 'own' } : { kind: 'other', username, domain }
}
