import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, first, map, type Query } from '../../db/query'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { blockText } from '../policy/block-predicates'

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
  const pair = await execute(ctx.db, relationshipPair(ctx, viewer.id, target))
  if (pair === null) throw new NotFound()
  return pair
}
