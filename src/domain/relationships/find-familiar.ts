import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { accountNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { latestFollowers } from '../policy/follower-parts'

/** An account and those of its followers whom the viewer follows, latest followed first. */
export interface Familiar {
  readonly id: AccountId
  readonly followers: readonly AccountId[]
}

/** Maximum of followers returned, and of follows examined on each side, shared by the accounts asked about. */
const most = { followers: 80, examined: 50 } as const

interface FamiliarQuery {
  readonly viewer: ViewerRef
  readonly ids: readonly AccountId[]
  readonly now: Date
}

/**
 * Accounts the viewer follows that also follow each of `ids`, in the order given. One statement.
 *
 * Looks among the latest the viewer follows, and among the latest that follow the account: complete if either is short.
 *
 * Empty where the account hides its followers. Left out are followers who hide whom they follow, whom the viewer
 * hides, or who are suspended. Accounts that are suspended or not visible are left out.
 */
export function familiarFollowers(ctx: Ctx, query: FamiliarQuery): Query<Familiar[]> {
  const found = rows(
    ctx.db
      .select({
        id: sql<AccountId>`familiar.id`.as('id'),
        followers: sql<string>`familiar.followers`.as('followers'),
      })
      .from(sql`(${familiarOf(query)}) as familiar`)
      .orderBy(sql`familiar.place`),
  )
  return map(found, (list) =>
    list.map(({ id, followers }) => {
      const ids: readonly AccountId[] = JSON.parse(followers)
      return { id, followers: ids }
    }),
  )
}

function familiarOf({ viewer, ids, now }: FamiliarQuery): SQL {
  const shared = (of: number) => Math.max(4, Math.floor(of / Math.max(1, ids.length)))
  const share = (of: number) => limitTo(shared(of))
  const near = sql`select * from (select f.target_account_id as id from follows f where f.account_id = ${viewer.id}
      order by f.id desc ${share(most.examined)})
    union select account_id from (${latestFollowers(sql`a.id`, shared(most.examined))})`
  const followers = sql`select theirs.account_id as id
    from (${near}) near
      cross join follows theirs on theirs.account_id = near.id and theirs.target_account_id = a.id
      cross join follows mine on mine.account_id = ${viewer.id} and mine.target_account_id = near.id
      cross join accounts friend on friend.id = theirs.account_id
    where coalesce(friend.hide_collections, 0) = 0 and friend.suspended_at is null
      and ${accountNotBlockedOrMuted(viewer, now, 'friend')}
    order by mine.id desc ${share(most.followers)}`
  return sql`select a.id as id, item.key as place,
      case when coalesce(a.hide_collections, 0) = 1 then '[]' else (
        select json_group_array(id) from (${followers})) end as followers
    from ${jsonRows(ids)} cross join accounts a on a.id = item.value
    where a.suspended_at is null and ${isVisibleAccount('a')}`
}
