import { sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask, first, map, type Query } from '../../db/query'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { inStanding } from '../policy/standing'
import type { Viewer } from '../viewer'

/** What a command about two accounts needs to know before it decides. */
export interface Pair {
  readonly id: AccountId
  readonly domain: string | null
  readonly locked: boolean
  readonly suspended: boolean
  readonly moved: boolean
  /** The viewer follows the target; `followedBy` the other way round, and so on. */
  readonly follows: boolean
  readonly followedBy: boolean
  readonly requested: boolean
  readonly requestedBy: boolean
  readonly blocks: boolean
  readonly blockedBy: boolean
  readonly blocksDomain: boolean
  /** The viewer's own counters. */
  readonly following: number
  readonly followers: number
}

/** The account `target` and how `viewer` stands to it; null where it may not be known. One statement. */
export function pairOf(ctx: Ctx, viewer: AccountId, target: AccountId): Query<Pair | null> {
  const found = first(
    ctx.db
      .select({
        id: sql<AccountId>`target.id`.as('id'),
        domain: sql<string | null>`target.domain`.as('domain'),
        following: sql<number>`me.following_count`.as('following'),
        followers: sql<number>`me.followers_count`.as('followers'),
        claims:
          sql<number>`target.locked + 2 * (target.suspended_at is not null) + 4 * (target.moved_to_account_id is not null)
          + 8 * exists (select 1 from follows where account_id = me.id and target_account_id = target.id)
          + 16 * exists (select 1 from follows where account_id = target.id and target_account_id = me.id)
          + 32 * exists (select 1 from follow_requests where account_id = me.id and target_account_id = target.id)
          + 64 * exists (select 1 from follow_requests where account_id = target.id and target_account_id = me.id)
          + 128 * exists (select 1 from blocks where account_id = me.id and target_account_id = target.id)
          + 256 * exists (select 1 from blocks where account_id = target.id and target_account_id = me.id)
          + 512 * exists (select 1 from account_domain_blocks blocked
              where blocked.account_id = me.id and blocked.domain = target.domain)`.as('claims'),
      })
      .from(sql`accounts target join accounts me on me.id = ${viewer}`)
      .where(sql`target.id = ${target} and ${inStanding('target')}`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { claims, ...facts } = row
    const holds = (bit: number) => (claims & bit) !== 0
    return {
      ...facts,
      locked: holds(1),
      suspended: holds(2),
      moved: holds(4),
      follows: holds(8),
      followedBy: holds(16),
      requested: holds(32),
      requestedBy: holds(64),
      blocks: holds(128),
      blockedBy: holds(256),
      blocksDomain: holds(512),
    }
  })
}

/** The same, asked at once; `NotFound` for an account that may not be known. */
export async function findPair(ctx: Ctx, viewer: Pick<Viewer, 'id'>, target: AccountId): Promise<Pair> {
  const pair = await ask(ctx.db, pairOf(ctx, viewer.id, target))
  if (pair === null) throw new NotFound()
  return pair
}
