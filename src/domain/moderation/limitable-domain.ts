import type { Config } from '../../config'
import { Invalid } from '../../errors'
import { parseServer } from '../../lib/handle'
import { isPublicSuffix } from '../../lib/registrable-domain'

/**
 * The domain in ASCII and lower case. `Invalid` for an invalid domain, for a public suffix, and for domains that hold
 * for this server itself: its own ones and their parents.
 */
export function requireLimitableDomain(config: Pick<Config, 'ownDomains'>, text: string): string {
  const domain = requireDomainName(text)
  const problem = problemOfDomain(config, domain)
  if (problem !== null) throw new Invalid(problem, { field: 'domain' })
  return domain
}

/** The domain in ASCII and lower case, without a port: limits hold for all ports. `Invalid` for an invalid domain. */
export function requireDomainName(text: string): string {
  if (text.trim() === '') throw new Invalid('blank', { field: 'domain' })
  const domain = parseLimitedDomain(text)
  if (domain === null) throw new Invalid('invalid_domain', { field: 'domain' })
  return domain
}

/** The domain as limits name it; null for what is none. */
export function parseLimitedDomain(text: string): string | null {
  const domain = parseServer(text)
  return domain === null || domain.includes(':') ? null : domain
}

/** Code of the reason why a domain cannot be limited; null where it can. */
export function problemOfDomain(
  { ownDomains }: Pick<Config, 'ownDomains'>,
  domain: string,
): 'own_domain' | 'public_suffix' | null {
  const isOwn = ownDomains.some((own) => own === domain || own.endsWith(`.${domain}`))
  if (isOwn) return 'own_domain'
  return isPublicSuffix(domain) ? 'public_suffix' : null
}
