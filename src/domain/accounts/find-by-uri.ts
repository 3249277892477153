import { getTableColumns, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { accounts } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { usernameIn } from '../../lib/addresses'
import type { Ctx } from '../../platform/ports'
import { isVisibleAccount } from '../policy/account-visibility'
import type { Mentionable } from './find'

/** Known accounts among actor ids, each once, with the id that was asked for. One statement. */
export function accountsByUris(
  ctx: Ctx,
  uris: readonly string[],
): Query<(Mentionable & { readonly asked: string })[]> {
  const { id, username, domain, uri, url, suspendedAt } = getTableColumns(accounts)
  const asked = uris.map((address) => ({
    asked: address,
    name: usernameIn(ctx.config.origin, address)?.toLowerCase() ?? null,
  }))
  const found = rows(
    ctx.db
      .select({ id, username, domain, uri, url, suspendedAt, asked: sql<string>`named.asked`.as('asked') })
      .from(sql`(select item.value ->> 'asked' as asked, a.id as id
          from ${jsonRows(asked)} cross join accounts a on a.uri = item.value ->> 'asked'
          where a.domain is not null
        union all
        select item.value ->> 'asked', a.id
          from ${jsonRows(asked)} cross join accounts a
            on lower(a.username) = item.value ->> 'name' and coalesce(a.domain, '') = ''
          where ${isVisibleAccount('a')}) as named`)
      .innerJoin(accounts, sql`${accounts.id} = named.id`),
  )
  return map(found, (all) => [...new Map(all.map((row) => [row.id, row])).values()])
}
