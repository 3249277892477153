import { type SQL, sql } from 'drizzle-orm'
import { settingKey } from './settings'

/** The account to turn to, as the settings name it, as rows (id, cursor): none when they name nobody who exists. */
export function contactSelection(): SQL {
  return sql`select a.id as id, a.id as cursor
    from settings chosen cross join accounts a
    where chosen.key = ${settingKey('contactUsername')}
      and lower(a.username) = lower(chosen.value ->> '$') and coalesce(a.domain, '') = ''`
}
