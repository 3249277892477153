import { getTableColumns, sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { followRequests } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import type { Viewer } from '../core/viewer'
import { relationshipPair } from './find'
import { addFollow, dropFollow, dropFollowRequest, followRemoved } from './follow-rows'

// Responses name the Follow by its id, by a copy, or by an unknown id: they are matched by follower and target.

/**
 * Handles the Accept of a local account's follow request by the remote `target`. Emits `follow.created`.
 *
 * Ignored without a request: a remote server cannot create follows of local accounts.
 */
export async function receiveAccept(
  ctx: Ctx,
  target: Pick<Viewer, 'id'>,
  username: string,
): Promise<Outcome> {
  const follower = idByHandle({ username, domain: null })
  const request = await execute(
    ctx.db,
    first(
      ctx.db
        .select(getTableColumns(followRequests))
        .from(followRequests)
        .where(sql`account_id = ${follower} and target_account_id = ${target.id}`),
    ),
  )
  if (request === null) return ignored('accepts an unknown follow request')
  const { id, accountId, showReblogs, notify, languages } = request
  const changes = new Changes().require(
    sql`exists (select 1 from follow_requests where id = ${id})`,
    new Conflict('answered_already'),
  )
  addFollow(ctx, changes, { from: accountId, to: target.id }, { id, showReblogs, notify, languages })
  await commit(ctx, changes)
  return done
}

/**
 * Handles a Reject by the remote `target`: of a local account's follow request, or of its follow. Emits
 * `follow.removed` for a follow that existed.
 */
export async function receiveReject(
  ctx: Ctx,
  target: Pick<Viewer, 'id'>,
  username: string,
): Promise<Outcome> {
  const pair = await execute(ctx.db, relationshipPair(ctx, target.id, idByHandle({ username, domain: null })))
  if (pair === null || !(pair.followedBy || pair.requestedBy)) return ignored('rejects an unknown follow')
  const tie = { from: pair.id, to: target.id }
  const changes = new Changes()
  if (pair.ties.followedBy !== null) {
    dropFollow(ctx, changes, tie)
    changes.emit(followRemoved(tie, pair.ties.followedBy, target.id))
  }
  if (pair.requestedBy) dropFollowRequest(ctx, changes, tie)
  await commit(ctx, changes)
  return done
}
