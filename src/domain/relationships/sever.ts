import { sql } from 'drizzle-orm'
import { accountSeverances, accounts, follows, severanceEvents, severedFollows } from '../../db/schema'
import { inList, jsonRows } from '../../db/sql'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'

/** A follow to end, between a person of this server and somebody elsewhere. */
export interface EndingFollow {
  readonly id: number
  /** The person of this server. */
  readonly accountId: AccountId
  readonly otherId: AccountId
  /** The person of this server follows the other; false: they are followed. */
  readonly followed: boolean
}

export interface Severance {
  /** Of the event: the same for all parts of one. */
  readonly id: number
  readonly type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the name of the account. */
  readonly target: string
  readonly ending: readonly EndingFollow[]
}

/** How many people one statement notifies. */
const notifiedAtOnce = 500

/** One of the follows to end is no more. */
class FollowsChanged extends Conflict {}

const mostAttempts = 5

/** Runs what reads follows and ends them with `severFollows`: anew where one of them came to an end in between. */
export async function retryWhileFollowsChange<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = mostAttempts - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (failure) {
      if (!(failure instanceof FollowsChanged) || left === 0) throw failure
    }
  }
}

/**
 * Adds what ends many follows between people of this server and of others at once, with their counters, and keeps
 * for those who lost them whom they lost: `notifySevered` notifies them. Nothing is kept where there was nothing to
 * lose. What further parts of the same event end is added to what earlier ones ended.
 *
 * The batch fails where one of the follows is no more, see `retryWhileFollowsChange`: so that each is read a few times only,
 * the figures are counted here and not from the rows.
 */
export function severFollows(ctx: Ctx, changes: Changes, { id, type, target, ending }: Severance): void {
  if (ending.length === 0) return
  const ids = ending.map((follow) => follow.id)
  const lost = ending.map(({ accountId, otherId, followed }) => [accountId, otherId, followed ? 1 : 0])
  const figures = followCountsOf(ending)
  const severances = [...new Set(ending.map(({ accountId }) => accountId))].map((accountId) => [
    accountId,
    figures.get(accountId)?.followers,
    figures.get(accountId)?.following,
  ])
  changes
    .require(
      sql`not exists (select 1 from ${jsonRows(ids)} where not exists (select 1 from follows f where f.id = item.value))`,
      new FollowsChanged('Follows have changed'),
    )
    .add(
      ctx.db
        .insert(severanceEvents)
        .values({ id, type, target, createdAt: ctx.clock.now() })
        .onConflictDoNothing(),
      ctx.db.run(sql`insert into ${severedFollows} (event_id, account_id, other_account_id, followed)
        select ${id}, item.value ->> 0, item.value ->> 1, item.value ->> 2 from ${jsonRows(lost)} where true
        on conflict do nothing`),
      ctx.db.run(sql`insert into ${accountSeverances} (event_id, account_id, followers_count, following_count)
        select ${id}, item.value ->> 0, item.value ->> 1, item.value ->> 2 from ${jsonRows(severances)} where true
        on conflict do update set followers_count = followers_count + excluded.followers_count,
          following_count = following_count + excluded.following_count`),
      ctx.db.run(sql`update ${accounts} set
          followers_count = max(0, followers_count - (item.value ->> 1)),
          following_count = max(0, following_count - (item.value ->> 2))
        from ${jsonRows([...figures].map(([accountId, { followers, following }]) => [accountId, followers, following]))}
        where accounts.id = item.value ->> 0`),
      ctx.db.delete(follows).where(inList(follows.id, ids)),
    )
}

/** Adds the notices to people that the event `id` took follows from. */
export function notifySevered(ctx: Ctx, changes: Changes, id: number, affected: readonly AccountId[]): void {
  const about = { type: 'severed_relationships', statusId: null, subjectId: id } as const
  for (let start = 0; start < affected.length; start += notifiedAtOnce)
    notify(
      ctx,
      changes,
      affected.slice(start, start + notifiedAtOnce).map((to) => ({ ...about, to, from: to })),
    )
}

interface FollowCounts {
  readonly followers: number
  readonly following: number
}

/** How many of the follows each account has on either side. */
function followCountsOf(ending: readonly EndingFollow[]): ReadonlyMap<AccountId, FollowCounts> {
  const figures = new Map<AccountId, FollowCounts>()
  const count = (id: AccountId, more: FollowCounts) => {
    const { followers, following } = figures.get(id) ?? { followers: 0, following: 0 }
    figures.set(id, { followers: followers + more.followers, following: following + more.following })
  }
  for (const { accountId, otherId, followed } of ending) {
    count(followed ? accountId : otherId, { followers: 0, following: 1 })
    count(followed ? otherId : accountId, { followers: 1, following: 0 })
  }
  return figures
}
