import { SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import {
  execute,
  first,
  jsonRows,
  jsonTable,
  limitTo,
  map,
  orNotFound,
  type Query,
  rows,
} from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Viewer, ViewerRef } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { blockText } from '../policy/block-predicates'
import { accountNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { latestFollowers } from '../policy/visibility'

/** Relationship between the viewer and a target, as commands about two accounts need it. */
export interface RelationshipPair {
  readonly id: AccountId
  readonly domain: string | null
  readonly locked: boolean
  readonly suspended: boolean
  readonly moved: boolean
  /** The viewer follows the target; `followedBy` is the other way round, and so on. */
  readonly follows: boolean
  readonly followedBy: boolean
  readonly requested: boolean
  readonly requestedBy: boolean
  readonly blocks: boolean
  readonly blockedBy: boolean
  readonly blocksDomain: boolean
  /** The target blocks the domain of the viewer, who then is a remote account. */
  readonly blockedByDomain: boolean
  /** Moderators limited the viewer. */
  readonly silenced: boolean
  /** Rows behind these claims, null if missing. */
  readonly ties: {
    readonly follows: FollowRow | null
    readonly followedBy: FollowRow | null
    readonly requested: FollowRow | null
    readonly requestedBy: FollowRow | null
    readonly blockId: number | null
  }
  /** Follow counters of the viewer. */
  readonly following: number
  readonly followers: number
}

/** A follow or request; `uri` is the id its own server gave it. */
export interface FollowRow {
  readonly id: number
  readonly uri: string | null
}

/**
 * Account `target`, given by its id or a subquery, and its relationship to `viewer`; null where it is not visible.
 * One statement.
 */
export function relationshipPair(
  ctx: Ctx,
  viewer: AccountId,
  target: AccountId | SQL,
): Query<RelationshipPair | null> {
  const found = first(
    ctx.db
      .select({
        id: sql<AccountId>`target.id`.as('id'),
        domain: sql<string | null>`target.domain`.as('domain'),
        following: sql<number>`me.following_count`.as('following'),
        followers: sql<number>`me.followers_count`.as('followers'),
        claims:
          sql<number>`target.locked + 2 * (target.suspended_at is not null) + 4 * (target.moved_to_account_id is not null)
          + 8 * ${sql.raw(blockText.blocks('target.id', 'me.id'))}
          + 16 * ${sql.raw(blockText.blocksDomain('me.id', 'target.domain'))}
          + 32 * ${sql.raw(blockText.blocksDomain('target.id', 'me.domain'))}
          + 64 * (me.silenced_at is not null)`.as('claims'),
        // D1 bills every row a statement reads: each relation is looked up once.
        follow: followRowSql('follows', 'me', 'target').as('follow'),
        followBack: followRowSql('follows', 'target', 'me').as('follow_back'),
        request: followRowSql('follow_requests', 'me', 'target').as('request'),
        requestBack: followRowSql('follow_requests', 'target', 'me').as('request_back'),
        blockId: sql<number | null>`(select id from blocks
          where account_id = me.id and target_account_id = target.id)`.as('block_id'),
      })
      .from(sql`accounts target join accounts me on me.id = ${viewer}`)
      .where(sql`target.id = ${target} and ${isVisibleAccount('target')}`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { claims, follow, followBack, request, requestBack, blockId, ...facts } = row
    const ties = {
      follows: follow,
      followedBy: followBack,
      requested: request,
      requestedBy: requestBack,
      blockId,
    }
    const holds = (bit: number) => (claims & bit) !== 0
    return {
      ...facts,
      locked: holds(1),
      suspended: holds(2),
      moved: holds(4),
      follows: follow !== null,
      followedBy: followBack !== null,
      requested: request !== null,
      requestedBy: requestBack !== null,
      blocks: blockId !== null,
      blockedBy: holds(8),
      blocksDomain: holds(16),
      blockedByDomain: holds(32),
      silenced: holds(64),
      ties,
    }
  })
}

function followRowSql(table: 'follows' | 'follow_requests', from: 'me' | 'target', to: 'me' | 'target') {
  return sql`(select json_object('id', id, 'uri', uri) from ${sql.raw(table)}
    where account_id = ${sql.raw(from)}.id and target_account_id = ${sql.raw(to)}.id)`.mapWith(parseFollowRow)
}

const FollowRowSchema = z.object({ id: z.number(), uri: z.string().nullable() })

function parseFollowRow(column: unknown): FollowRow | null {
  return column === null ? null : FollowRowSchema.parse(JSON.parse(String(column)))
}

/** Executes `relationshipPair`; `NotFound` for an account that is not visible. */
export async function findRelationshipPair(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  target: AccountId,
): Promise<RelationshipPair> {
  const pair = await execute(ctx.db, orNotFound(relationshipPair(ctx, viewer.id, target)))
  return pair
}

/** An account and its followers that the viewer follows, latest followed first. */
export interface Familiar {
  readonly id: AccountId
  readonly followers: readonly AccountId[]
}

/** Maximum of followers returned, and of follows examined on each side, shared by the accounts asked about. */
const most = { followers: 80, examined: 50 } as const

interface FamiliarQuery {
  readonly viewer: ViewerRef
  /** Ids, or a subquery of one. */
  readonly ids: readonly AccountId[] | SQL
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
  const [list, count] =
    ids instanceof SQL ? [jsonTable(sql`json_array(${ids})`), 1] : [jsonRows(ids), Math.max(1, ids.length)]
  const shared = (of: number) => Math.max(4, Math.floor(of / count))
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
    from ${list} cross join accounts a on a.id = item.value
    where a.suspended_at is null and ${isVisibleAccount('a')}`
}
