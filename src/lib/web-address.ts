import { trimEnd } from './text/bytes'

const MAX_CHARACTERS = 2048

const scheme = /^https?:\/\/[^/?#\\]/i
// Printable ASCII without the backslash, which browsers treat as a slash.
const unambiguous = /^[\x21-\x5b\x5d-\x7e]*$/

/**
 * Normalises a web address for storage and comparison: http or https, scheme and host in lower case, the host
 * in ASCII, without credentials. Null for anything else, also for addresses without a scheme or beyond 2,048
 * characters.
 *
 * Path and query stay as written if they are plain ASCII: ids are compared letter by letter, and their server
 * would not recognise another spelling.
 */
export function parseWebAddress(text: string): string | null {
  const trimmed = text.length > MAX_CHARACTERS ? '' : text.trim()
  if (!scheme.test(trimmed)) return null
  const url = URL.parse(trimmed)
  if (url === null || url.username !== '' || url.password !== '') return null
  const rest = trimmed.slice(endOfAuthority(trimmed))
  const address = unambiguous.test(rest) ? `${url.protocol}//${url.host}${rest}` : url.href
  return address.length > MAX_CHARACTERS ? null : address
}

function endOfAuthority(address: string): number {
  const start = address.indexOf('//') + 2
  const length = address.slice(start).search(/[/?#\\]/)
  return length === -1 ? address.length : start + length
}

/** Characters whose percent-encoding changes no meaning, and that people and programs write both ways. */
const plainInPath = /[\w.~!$'()*,:@-]/

/**
 * Key of a page, equal for the spellings of its address that are considered equal: without scheme, fragment and
 * slashes at the end, percent-encoding only where needed. Null where `parseWebAddress` is.
 */
export function pageKeyOf(address: string): string | null {
  const parsed = parseWebAddress(address)
  const url = parsed === null ? null : URL.parse(parsed)
  if (url === null) return null
  const [path, query] = [url.pathname, url.search].map((part) => part.replace(/%[\da-f]{2}/gi, plainly))
  return `${url.host.replace(/\.(?=:|$)/, '')}${trimEnd(path ?? '', '/')}${query ?? ''}`
}

function plainly(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return plainInPath.test(character) ? character : encoded.toUpperCase()
}

/** The host of an address, with its port unless it is the default one; null if invalid. */
export function hostOf(address: string): string | null {
  return URL.parse(address)?.host || null
}

/** Whether an address is on one of these hosts. */
export function liesOn(hosts: readonly string[], address: string): boolean {
  const host = hostOf(address)
  return host !== null && hosts.includes(host)
}

/** Whether both addresses have the same origin: equal scheme, host and port. */
export function sameOrigin(one: string, other: string): boolean {
  const [first, second] = [URL.parse(one), URL.parse(other)]
  return first !== null && second !== null && first.host !== '' && first.origin === second.origin
}
