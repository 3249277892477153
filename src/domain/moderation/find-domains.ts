import { type SQL, sql } from 'drizzle-orm'

/**
 * Domains of servers ever met that are `domain` or below it, as rows (name).
 *
 * A range of an index: a row for each domain found, whatever else is known.
 */
export function domainsUnder(domain: string): SQL {
  const reversed = domain.split('.').toReversed().join('.')
  // The slash is the character behind the dot.
  return sql`select name from known_domains where reversed = ${reversed}
    union all
    select name from known_domains where reversed > ${`${reversed}.`} and reversed < ${`${reversed}/`}`
}
