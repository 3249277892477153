import { type SQL, sql } from 'drizzle-orm'
import { settingKey } from '../instance/settings'

/**
 * Did moderators let something trend? By the first of the columns that says so or otherwise; where none does, by the
 * setting for what nobody has looked at.
 */
export function isTrendable(...decisions: readonly string[]): SQL {
  const byDefault = sql`coalesce((select value = 'true' from settings where key = ${settingKey('trendableByDefault')}), 0)`
  return sql`coalesce(${sql.raw(decisions.join(', '))}, ${byDefault}) = 1`
}
