import { getTableColumns, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { accounts } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { ownNameIn } from '../../lib/addresses'
import type { Ctx } from '../../ports/ctx'
import { isVisibleAccount } from '../policy/account-visibility'
import type { Mentionable } from './find'
import { isUnusualUrl, pageOfHandle } from './page-address'

/** A known account, and the address by which it was asked for. */
export type AskedAccount = Mentionable & { readonly asked: string }

/**
 * Known accounts among addresses: actor ids or profile pages. A page is that of one account, though its server may name it for
 * several. One statement.
 */
export function accountsByUris(ctx: Ctx, uris: readonly string[]): Query<AskedAccount[]> {
  const { id, username, domain, uri, url, suspendedAt } = getTableColumns(accounts)
  const asked = uris.map((address) => ({
    asked: address,
    name: ownNameIn(ctx.config.origin, address)?.toLowerCase() ?? null,
    ...pageOfHandle(address),
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
          where ${isVisibleAccount('a')}
        union all
        select item.value ->> 'asked', a.id
          from ${jsonRows(asked)} cross join accounts a
            on lower(a.username) = item.value ->> 'pageName' and coalesce(a.domain, '') = item.value ->> 'pageDomain'
          where a.url = item.value ->> 'asked' and a.domain is not null
        union all
        select item.value ->> 'asked', (select a.id from accounts a
          where a.url = item.value ->> 'asked' and ${isUnusualUrl} order by a.id limit 1)
          from ${jsonRows(asked)}) as named`)
      .innerJoin(accounts, sql`${accounts.id} = named.id`),
  )
  // An id goes before the page of another account.
  return map(found, (all) => [...new Map(all.toReversed().map((row) => [row.asked, row])).values()])
}
