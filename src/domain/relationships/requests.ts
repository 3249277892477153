import { getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { followRequests } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { relationshipPair } from './find'
import { addFollow, dropFollowRequest, followRejected, isRequest } from './follow-rows'

/** Accepts the follow request of `requester`, with its options. Emits `follow.created`. */
export async function acceptFollowRequest(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  requester: AccountId,
): Promise<void> {
  const tie = { from: requester, to: viewer.id }
  const { request } = await findRequest(ctx, viewer, requester)
  // The other server knows the follow by the id of the request.
  const { id, uri, showReblogs, notify, languages } = request
  const isPending = sql`exists (select 1 from follow_requests where id = ${id})`
  const changes = new Changes().require(isPending, new NotFound())
  addFollow(ctx, changes, tie, { id, uri, showReblogs, notify, languages })
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
