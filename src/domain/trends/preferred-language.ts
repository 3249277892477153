import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'

/**
 * Does somebody read this language? Those they chose for public timelines count, else the one they use the server in.
 * Of strangers it is known by what their app asks for.
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
