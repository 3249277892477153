import type { Config } from '../../config'
import { validationFailed } from '../../errors'
import { parseServer } from '../../lib/handle'
import { isPublicSuffix } from '../../lib/registrable-domain'

/**
 * The domain in ASCII and lower case. `Invalid` for what is no domain, for a public suffix, and for domains that hold
 * for this server itself: its own ones and their parents.
 */
export function requireLimitableDomain(config: Pick<Config, 'ownDomains'>, text: string): string {
  const domain = requireDomainName(text)
  const problem = problemOfDomain(config, domain)
  if (problem !== null) throw validationFailed(`Domain ${problem}`)
  return domain
}

/** The domain in ASCII and lower case, without a port: limits hold for all ports. `Invalid` for what is no domain. */
export function requireDomainName(text: string): string {
  if (text.trim() === '') throw validationFailed("Domain can't be blank")
  const domain = parseLimitedDomain(text)
  if (domain === null) throw validationFailed('Domain is not a valid domain name')
  return domain
}

/** The domain as limits name it; null for what is none. */
export function parseLimitedDomain(text: string): string | null {
  const domain = parseServer(text)
  return domain === null || domain.includes(':') ? null : domain
}

/** Reason why a domain cannot be limited, as the end of a sentence; null where it can. */
export function problemOfDomain({ ownDomains }: Pick<Config, 'ownDomains'>, domain: string): string | null {
  const isOwn = ownDomains.some((own) => own === domain || own.endsWith(`.${domain}`))
  if (isOwn) return 'is that of this server, or a parent of it'
  return isPublicSuffix(domain) ? 'is a public suffix, shared by unrelated servers' : null
}
