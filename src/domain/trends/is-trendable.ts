import { type SQL, sql } from 'drizzle-orm'
import { settingKey } from '../instance/settings'

/**
 * Condition: moderators allow an item to trend. The first column with a decision counts; without one, the setting for
 * unreviewed items.
 */
export function isTrendable(...decisions: readonly string[]): SQL {
  const byDefault = sql`coalesce((select value = 'true' from settings where key = ${settingKey('trendableByDefault')}), 0)`
  return sql`coalesce(${sql.raw(decisions.join(', '))}, ${byDefault}) = 1`
}
