import { type SQL, sql } from 'drizzle-orm'
import { settingKey } from './settings'

/** Contact account named in the settings, as rows (id, cursor): none when that account does not exist. */
export function contactSelection(): SQL {
  return sql`select a.id as id, a.id as cursor
    from settings chosen cross join accounts a
    where chosen.key = ${settingKey('contactUsername')}
      and lower(a.username) = lower(chosen.value ->> '$') and coalesce(a.domain, '') = ''`
}
