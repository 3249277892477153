import { sql } from 'drizzle-orm'
import { actorUri, usernameIn } from '../../contract/addresses'
import { execute, jsonRows, map, type Query, rows } from '../../db/query'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { isInLocalPart } from '../policy/visibility'
import { unfollowAccount } from './follow'
import { acceptFollowRequest } from './requests'

interface Follower {
  readonly id: AccountId
  readonly uri: string
}

/** Local followers of `target`, with their actor ids. One statement. */
export function localFollowersOf(ctx: Ctx, target: AccountId): Query<readonly Follower[]> {
  const found = rows(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id'), username: sql<string>`a.username`.as('username') })
      .from(sql`follows f cross join accounts a on a.id = f.account_id`)
      .where(sql`f.target_account_id = ${target} and ${isInLocalPart('f')} and a.domain is null`),
  )
  return map(found, (all) =>
    all.map(({ id, username }) => ({ id, uri: actorUri(ctx.config.origin, username) })),
  )
}

/** Differences repaired per job; the rest is found with the next status. */
const maxRepairs = 50

/**
 * Reconciles the local followers of `target` with the ones its server has: `expected`, by actor id.
 *
 * Follows unknown to that server end: otherwise followers-only statuses would be shown to followers that `target`
 * has removed. Requests it has granted become follows. Follows only it has are undone again. Emits the events
 * of each of these.
 */
export async function synchronizeFollowers(
  ctx: Ctx,
  target: AccountId,
  expected: readonly string[],
): Promise<void> {
  const local = await execute(ctx.db, localFollowersOf(ctx, target))
  const stale = local.filter(({ uri }) => !expected.includes(uri)).slice(0, maxRepairs)
  for (const follower of stale) await unfollowAccount(ctx, follower, target)
  const known = new Set(local.map(({ uri }) => uri))
  const names = expected.flatMap((uri) => (known.has(uri) ? [] : [usernameIn(ctx.config.origin, uri)]))
  const missing = await execute(
    ctx.db,
    requestsAmong(
      ctx,
      target,
      names.filter((name) => name !== null),
    ),
  )
  for (const account of missing.slice(0, maxRepairs)) await repairFollow(ctx, target, account)
}

interface Missing {
  readonly id: AccountId
  readonly requested: boolean
}

function requestsAmong(ctx: Ctx, target: AccountId, names: readonly string[]): Query<readonly Missing[]> {
  const found = rows(
    ctx.db
      .select({
        id: sql<AccountId>`a.id`.as('id'),
        requested: sql<number>`exists (select 1 from follow_requests
          where account_id = a.id and target_account_id = ${target})`.as('requested'),
      })
      .from(sql`${jsonRows(names.map((name) => name.toLowerCase()))} cross join accounts a
        on lower(a.username) = item.value and coalesce(a.domain, '') = ''`),
  )
  return map(found, (all) => all.map(({ id, requested }) => ({ id, requested: requested === 1 })))
}

async function repairFollow(ctx: Ctx, target: AccountId, { id, requested }: Missing): Promise<void> {
  if (!requested) {
    const tie = { accountId: id, targetAccountId: target }
    const event = { kind: 'follow.withdrawn' as const, ...tie, by: id, followId: null, uri: null }
    await commit(ctx, new Changes().emit(event))
    return
  }
  try {
    await acceptFollowRequest(ctx, { id: target }, id)
  } catch (failure) {
    // Accepted, rejected or withdrawn meanwhile.
    if (!(failure instanceof NotFound)) throw failure
  }
}
