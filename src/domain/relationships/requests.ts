import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import {
  combineQueries,
  execute,
  first,
  inList,
  jsonRows,
  limitTo,
  map,
  type Query,
  rows,
} from '../../db/query'
import { accounts, followRequests, follows, notifications } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer, ViewerRef } from '../core/viewer'
import { notify } from '../notifications/notify'
import { inboxIdOf } from '../policy/visibility'
import { relationshipPair } from './find'
import { addFollow, dropFollowRequest, followOptionsOf, followRejected, isRequest } from './follow-rows'

/** Accepts the follow request of `requester`, with its options. Emits `follow.created`. */
export async function acceptFollowRequest(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  requester: AccountId,
): Promise<void> {
  const tie = { from: requester, to: viewer.id }
  const { request } = await findRequest(ctx, viewer, requester)
  // The other server knows the follow by the id of the request.
  const { id, uri } = request
  const isPending = sql`exists (select 1 from follow_requests where id = ${id})`
  const changes = new Changes().require(isPending, new NotFound())
  addFollow(ctx, changes, tie, { ...followOptionsOf(request), id, uri })
  await commit(ctx, changes)
}

/** Rejects a follow request to the viewer; the requester is not notified, but their server is (`follow.rejected`). */
export async function rejectFollowRequest(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  requester: AccountId,
): Promise<void> {
  const { pair, request } = await findRequest(ctx, viewer, requester)
  const tie = { from: requester, to: viewer.id }
  const changes = new Changes()
  dropFollowRequest(ctx, changes, tie)
  if (pair.domain !== null) changes.emit(followRejected(tie, request, viewer.id))
  await commit(ctx, changes)
}

async function findRequest(ctx: Ctx, viewer: Pick<Viewer, 'id'>, requester: AccountId) {
  const found = await execute(
    ctx.db,
    combineQueries({
      pair: relationshipPair(ctx, viewer.id, requester),
      request: first(
        ctx.db
          .select(getTableColumns(followRequests))
          .from(followRequests)
          .where(isRequest({ from: requester, to: viewer.id })),
      ),
    }),
  )
  const { pair, request } = found
  if (pair === null || request === null) throw new NotFound()
  return { pair, request }
}

/** Requests accepted per run: each costs a query for its home feed, and an invocation has a thousand. */
const chunk = 100

/**
 * Accepts the follow requests `target` received while it was locked. Does nothing while it is locked again.
 *
 * Takes the oldest hundred and leaves the rest to a job. Emits `follow.created` for each. Idempotent.
 */
export async function acceptAllFollowRequests(ctx: Ctx, target: AccountId): Promise<void> {
  const waiting = await requestsTo(ctx, target)
  if (waiting.length === 0) return
  await commit(ctx, acceptance(ctx, target, waiting))
  if (waiting.length === chunk) await ctx.jobs.send({ kind: 'accept-follow-requests', accountId: target })
}

type Waiting = Pick<typeof followRequests.$inferSelect, 'id' | 'accountId'>

function requestsTo(ctx: Ctx, target: AccountId): Promise<Waiting[]> {
  const { id, accountId, targetAccountId } = followRequests
  const isUnlocked = sql`exists (select 1 from accounts where accounts.id = ${target} and accounts.locked = 0)`
  return execute(
    ctx.db,
    rows(
      ctx.db
        .select({ id, accountId })
        .from(followRequests)
        .where(and(eq(targetAccountId, target), isUnlocked))
        .orderBy(id)
        .limit(chunk),
    ),
  )
}

function acceptance(ctx: Ctx, target: AccountId, waiting: readonly Waiting[]): Changes {
  const pairs = waiting.map(({ id, accountId }) => ({ id: ctx.ids.next(), request: id, from: accountId }))
  const requesters = waiting.map(({ accountId }) => accountId)
  // Only the first statement can have made these ids: the counters move for each follow that it made.
  const made = sql`select f.account_id from ${jsonRows(pairs.map(({ id }) => id))} cross join follows f
    on f.id = item.value`
  const changes = new Changes().add(
    ctx.db.run(sql`
      insert into ${follows} (id, account_id, target_account_id, show_reblogs, notify, languages, show_replies, fewer, uri, inbox_id, created_at)
      select item.value ->> 'id', q.account_id, q.target_account_id, q.show_reblogs, q.notify, q.languages, q.show_replies, q.fewer, q.uri,
        ${inboxIdOf(sql`q.account_id`)}, ${ctx.clock.now().getTime()}
      from ${jsonRows(pairs)} cross join follow_requests q on q.id = item.value ->> 'request'
      where true
      on conflict (account_id, target_account_id) do nothing`),
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`${accounts.followersCount} + (select count(*) from (${made}))` })
      .where(eq(accounts.id, target)),
    ctx.db
      .update(accounts)
      .set({ followingCount: sql`${accounts.followingCount} + 1` })
      .where(sql`${accounts.id} in (${made})`),
    ctx.db.delete(followRequests).where(
      inList(
        followRequests.id,
        waiting.map(({ id }) => id),
      ),
    ),
    ctx.db
      .delete(notifications)
      .where(
        and(
          eq(notifications.accountId, target),
          eq(notifications.type, 'follow_request'),
          inList(notifications.fromAccountId, requesters),
        ),
      ),
  )
  notify(
    ctx,
    changes,
    requesters.map((from) => ({ to: target, from, type: 'follow', statusId: null })),
  )
  for (const from of requesters)
    changes.emit({ kind: 'follow.created', accountId: from, targetAccountId: target })
  return changes
}

/** Upper bound of the requests counted. */
const mostCounted = 100

/** Follow requests that wait for the viewer, at most a hundred. */
export function countFollowRequests(ctx: Ctx, viewer: ViewerRef): Query<number> {
  const waiting = sql`(select 1 from ${followRequests}
    where ${followRequests.targetAccountId} = ${viewer.id} ${limitTo(mostCounted)}) as waiting`
  return map(
    first(ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(waiting)),
    (row) => row?.count ?? 0,
  )
}
