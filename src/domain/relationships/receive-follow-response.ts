import { getTableColumns, sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { followRequests } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { idByHandle } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import type { Viewer } from '../core/viewer'
import { relationshipPair } from './find'
import { addFollow, dropFollow, dropFollowRequest, followRemoved } from './follow-rows'

// Answers name the Follow by its id, by a copy, or by an id nobody here knows: what counts is who asked whom.

/**
 * `target`, of another server, lets one of ours follow, who asked to. Emits `follow.created`.
 *
 * Nothing happens where nobody asked: nobody follows by the word of others.
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
  if (request === null) return ignored('accepts what nobody asked for')
  const { id, accountId, showReblogs, notify, languages } = request
  const changes = new Changes().require(
    sql`exists (select 1 from follow_requests where id = ${id})`,
    new Conflict('answered already'),
  )
  addFollow(ctx, changes, { from: accountId, to: target.id }, { id, showReblogs, notify, languages })
  await commit(ctx, changes)
  return done
}

/**
 * `target`, of another server, turns down one of ours who asked to follow, or lets them follow no longer. Emits
 * `follow.removed` for a follow that was there.
 */
export async function receiveReject(
  ctx: Ctx,
  target: Pick<Viewer, 'id'>,
  username: string,
): Promise<Outcome> {
  const pair = await execute(ctx.db, relationshipPair(ctx, target.id, idByHandle({ username, domain: null })))
  if (pair === null || !(pair.followedBy || pair.requestedBy)) return ignored('rejects what is not there')
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
