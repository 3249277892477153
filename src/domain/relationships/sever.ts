import { sql } from 'drizzle-orm'
import { inList, jsonRows } from '../../db/query'
import { accountSeverances, accounts, follows, severanceEvents, severedFollows } from '../../db/schema'
import { Conflict, Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { notify } from '../notifications/notify'
import { inboxIdOf } from '../policy/visibility'
import { findRelationshipPair } from './find'
import { followAccount } from './follow'
import { countFollow, type FollowOptions, neitherBlocks } from './follow-rows'

/** Follow to end, between a local and a remote account. */
export interface EndingFollow {
  readonly id: number
  /** The local account. */
  readonly accountId: AccountId
  readonly otherId: AccountId
  /** Direction: true when the local account follows, false when it is followed. */
  readonly followed: boolean
  /** Options of the follow, kept so that it can be restored. */
  readonly options?: FollowOptions
}

export interface Severance {
  /** Id of the severance event, shared by all its parts. */
  readonly id: number
  readonly type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** Domain, or handle of the account. */
  readonly target: string
  readonly ending: readonly EndingFollow[]
}

/** Accounts notified per statement. */
const notifiedPerStatement = 500

/** Conflict: one of the follows to end was deleted meanwhile. */
export class FollowsChanged extends Conflict {
  override readonly name = 'FollowsChanged'
}

const maxAttempts = 5

/**
 * Runs `attempt`, which reads follows and ends them with `severFollows`; retries where one of them ended meanwhile.
 */
export async function retryWhileFollowsChange<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = maxAttempts - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (failure) {
      if (!(failure instanceof FollowsChanged) || left === 0) throw failure
    }
  }
}

/**
 * Adds statements that end many follows between local and remote accounts at once, with their counters, and record
 * the severed relationships for their owners: `notifySevered` notifies them. Without follows nothing is recorded.
 * Further parts of an event add to the earlier ones.
 *
 * The batch fails where one of the follows no longer exists, see `retryWhileFollowsChange`: to read each row a few
 * times only, the counts are computed here and not from the rows.
 */
export function severFollows(ctx: Ctx, changes: Changes, { id, type, target, ending }: Severance): void {
  if (ending.length === 0) return
  const ids = ending.map((follow) => follow.id)
  const lost = ending.map(({ accountId, otherId, followed, options }) => [
    accountId,
    otherId,
    followed ? 1 : 0,
    options?.showReblogs === false ? 0 : 1,
    options?.notify === true ? 1 : 0,
    options?.languages ?? null,
    options?.showReplies === false ? 0 : 1,
    options?.fewer === true ? 1 : 0,
  ])
  const followingCount = ending.filter(({ followed }) => followed).length
  const followersCount = ending.length - followingCount
  const counts = followCountsOf(ending)
  const severances = [...new Set(ending.map(({ accountId }) => accountId))].map((accountId) => [
    accountId,
    counts.get(accountId)?.followers,
    counts.get(accountId)?.following,
  ])
  changes
    .require(
      sql`not exists (select 1 from ${jsonRows(ids)} where not exists (select 1 from follows f where f.id = item.value))`,
      new FollowsChanged('follows_changed'),
    )
    .add(
      ctx.db
        .insert(severanceEvents)
        .values({ id, type, target, createdAt: ctx.clock.now(), followersCount, followingCount })
        .onConflictDoUpdate({
          target: severanceEvents.id,
          set: {
            followersCount: sql`${severanceEvents.followersCount} + ${followersCount}`,
            followingCount: sql`${severanceEvents.followingCount} + ${followingCount}`,
          },
        }),
      ctx.db.run(sql`insert into ${severedFollows}
          (event_id, account_id, other_account_id, followed, show_reblogs, notify, languages, show_replies, fewer)
        select ${id}, item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3, item.value ->> 4,
          item.value ->> 5, item.value ->> 6, item.value ->> 7 from ${jsonRows(lost)} where true
        on conflict do nothing`),
      ctx.db.run(sql`insert into ${accountSeverances} (event_id, account_id, followers_count, following_count)
        select ${id}, item.value ->> 0, item.value ->> 1, item.value ->> 2 from ${jsonRows(severances)} where true
        on conflict do update set followers_count = followers_count + excluded.followers_count,
          following_count = following_count + excluded.following_count`),
      ctx.db.run(sql`update ${accounts} set
          followers_count = max(0, followers_count - (item.value ->> 1)),
          following_count = max(0, following_count - (item.value ->> 2))
        from ${jsonRows([...counts].map(([accountId, { followers, following }]) => [accountId, followers, following]))}
        where accounts.id = item.value ->> 0`),
      ctx.db.delete(follows).where(inList(follows.id, ids)),
    )
}

/** Adds notifications for accounts that lost follows in the event `id`. */
export function notifySevered(ctx: Ctx, changes: Changes, id: number, affected: readonly AccountId[]): void {
  const about = { type: 'severed_relationships', statusId: null, subjectId: id } as const
  for (let start = 0; start < affected.length; start += notifiedPerStatement)
    notify(
      ctx,
      changes,
      affected.slice(start, start + notifiedPerStatement).map((to) => ({ ...about, to, from: to })),
    )
}

interface FollowCounts {
  readonly followers: number
  readonly following: number
}

/** Numbers of the given follows that each account has on either side. */
function followCountsOf(ending: readonly EndingFollow[]): ReadonlyMap<AccountId, FollowCounts> {
  const counts = new Map<AccountId, FollowCounts>()
  const count = (id: AccountId, more: FollowCounts) => {
    const { followers, following } = counts.get(id) ?? { followers: 0, following: 0 }
    counts.set(id, { followers: followers + more.followers, following: following + more.following })
  }
  for (const { accountId, otherId, followed } of ending) {
    count(followed ? accountId : otherId, { followers: 0, following: 1 })
    count(followed ? otherId : accountId, { followers: 1, following: 0 })
  }
  return counts
}

/** Follow between a local and a remote account that a decision about the server of the latter ended. */
export interface SeveredFollow {
  readonly accountId: AccountId
  readonly otherId: AccountId
  /** The local account followed; false where it was followed. */
  readonly followed: boolean
  /** Moderators limited the local account. */
  readonly silenced: boolean
  readonly options: FollowOptions
}

/**
 * Restores an ended follow. One by the local account is requested again from the other server; one of the local account
 * is stored again, without notification, because its server never received its end. False where the follow or
 * its request exists. Throws what forbids to follow: blocks, suspensions, moves.
 */
export async function restoreFollow(ctx: Ctx, follow: SeveredFollow): Promise<boolean> {
  const { accountId, otherId, followed } = follow
  const [from, to] = followed ? [accountId, otherId] : [otherId, accountId]
  const pair = await findRelationshipPair(ctx, { id: from }, to)
  if (pair.follows || pair.requested) return false
  if (followed) await followAccount(ctx, { id: from, silenced: follow.silenced }, to, follow.options)
  else {
    const isForbidden = pair.blocks || pair.blockedBy || pair.blocksDomain || pair.blockedByDomain
    if (isForbidden || pair.suspended || pair.moved) throw new Forbidden()
    await commit(ctx, storeFollower(ctx, { from, to }, follow.options))
  }
  return true
}

function storeFollower(
  ctx: Ctx,
  pair: { readonly from: AccountId; readonly to: AccountId },
  options: FollowOptions,
): Changes {
  const id = ctx.ids.next()
  const row = {
    ...options,
    id,
    accountId: pair.from,
    targetAccountId: pair.to,
    inboxId: inboxIdOf(pair.from),
    createdAt: ctx.clock.now(),
  }
  return new Changes().require(neitherBlocks(pair), new Forbidden()).add(
    ctx.db
      .insert(follows)
      .values(row)
      .onConflictDoNothing({ target: [follows.accountId, follows.targetAccountId] }),
    ...countFollow(ctx, pair, 1, sql`exists (select 1 from follows where id = ${id})`),
  )
}
