import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'

/**
 * Condition: the viewer reads this language. Languages chosen for public timelines count, else the interface
 * language; for anonymous readers, the language their app requests.
 */
export function isPreferredLanguage(
  { viewer, language }: { readonly viewer: ViewerRef; readonly language: string | null },
  column: SQL,
): SQL {
  if (!viewer.signedIn) return sql`coalesce(${column} = ${language}, 0)`
  const chosen = sql`select choice.value from users reader, json_each(reader.settings, '$.chosenLanguages') choice
    where reader.account_id = ${viewer.id} and choice.value is not null`
  const locale = sql`select substr(own.locale || '-', 1, instr(own.locale || '-', '-') - 1) from users own
    where own.account_id = ${viewer.id} and not exists (${chosen})`
  return sql`coalesce(${column} in (${chosen} union all ${locale}), 0)`
}
