import { sql } from 'drizzle-orm'

/** Verbatim the index `accounts_unusual_urls`, so that the index is used. */
export const isUnusualUrl = sql`url <> 'https://' || domain || '/@' || username`

/** Handle that follows from the address of a profile page, as most servers make it; nulls for any other address. */
export function pageOfHandle(address: string): {
  readonly pageName: string | null
  readonly pageDomain: string | null
} {
  const [, domain, username] = /^https:\/\/([^/]+)\/@([^/@]+)$/.exec(address) ?? []
  return { pageName: username?.toLowerCase() ?? null, pageDomain: domain ?? null }
}
