import { type SQL, sql } from 'drizzle-orm'

/**
 * Domains of known accounts that are `domain` or below it, in order, as rows (name).
 *
 * A walk over the index of domains: a row for each known server, not for each account.
 */
export function domainsUnder(domain: string): SQL {
  // No LIKE: a domain may hold an underscore, and D1 limits patterns to 50 bytes.
  return sql`${knownDomains()} where name = ${domain} or substr(name, -${domain.length + 1}) = ${`.${domain}`}`
}

/** Domains of all known accounts, in order, as rows (name): a row for each known server. */
export function knownDomains(): SQL {
  return sql`with recursive met(name) as (
      select min(domain) from accounts where domain is not null
      union all
      select (select min(next.domain) from accounts next where next.domain > met.name) from met
        where met.name is not null)
    select name from met`
}
