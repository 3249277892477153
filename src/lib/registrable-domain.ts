import { getDomain, getPublicSuffix, parse } from 'tldts'

/**
 * The registrable domain of a host, by the public suffix list: `example.org` of `social.example.org`. Names
 * below a suffix of its private section (`workers.dev`, `github.io`) belong to different customers and are kept
 * distinct.
 *
 * A public suffix, an IP address or a single label is its own registrable domain. Ports are ignored.
 */
export function registrableDomain(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name
}

/** Whether names below `domain` belong to different owners, by the public suffix list: `org`, `co.uk`, `github.io`. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true, extractHostname: false }) === domain
}

/** Whether the public suffix list knows `label` as a top-level domain. */
export function isTopLevelDomain(label: string): boolean {
  return parse(`a.${label}`, { extractHostname: false }).isIcann === true
}

/** Obfuscates a domain with stars, except its ends and its dots: recognisable, but not a link. */
export function obfuscateDomain(domain: string): string {
  const kept = Math.floor(domain.length / 4)
  return [...domain]
    .map((character, at) => (character === '.' || at < kept || at >= domain.length - kept ? character : '*'))
    .join('')
}
