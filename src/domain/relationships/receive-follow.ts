import { getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { followRequests, follows } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import { deduplicateActivity, tombstoneActivity, wasReceived } from '../core/received-activities'
import type { RemoteSender, Viewer } from '../core/viewer'
import { type RelationshipPair, relationshipPair } from './find'
import {
  addFollow,
  addFollowRequest,
  defaultFollowOptions,
  dropFollow,
  dropFollowRequest,
  type FollowPair,
  followOptionsOf,
  followRemoved,
  isFollow,
  isRequest,
} from './follow-rows'

/** A received Follow: its local target, and its activity id. */
export interface IncomingFollow {
  readonly username: string
  readonly uri: string | null
  /** Moderators limited the server of the follower. */
  readonly fromLimited: boolean
}

const options = defaultFollowOptions

/** Decides the outcome of a received Follow. Pure. */
export function decideIncomingFollow(
  pair: RelationshipPair,
  fromLimited: boolean,
): 'follow' | 'request' | 'again' | 'ask-again' | 'reject' {
  if (pair.blocks || pair.blockedBy || pair.blockedByDomain || pair.moved || pair.suspended) return 'reject'
  if (pair.follows) return 'again'
  if (pair.requested) return 'ask-again'
  return pair.locked || pair.silenced || fromLimited ? 'request' : 'follow'
}

/**
 * Handles a remote Follow of a local account: creates the follow, or a request where the target approves its
 * followers or moderators limited the follower.
 *
 * An existing follow is accepted again (`follow.created`): the follower's server may have lost the response.
 * Where either blocks the other, and where the target is suspended or has moved, it is rejected
 * (`follow.rejected`).
 */
export async function receiveFollow(
  ctx: Ctx,
  follower: RemoteSender,
  { username, uri, fromLimited }: IncomingFollow,
): Promise<Outcome> {
  const target = idByHandle({ username, domain: null })
  const { pair, before } = await execute(
    ctx.db,
    combineQueries({ pair: relationshipPair(ctx, follower.id, target), before: wasReceived(ctx, uri) }),
  )
  if (before) return ignored('received before')
  if (pair === null) return ignored('the target of the follow is unknown')
  const tie = { from: follower.id, to: pair.id }
  const changes = new Changes()
  deduplicateActivity(ctx, changes, uri)
  switch (decideIncomingFollow(pair, fromLimited)) {
    case 'follow':
      addFollow(ctx, changes, tie, { ...options, uri })
      break
    case 'request':
      addFollowRequest(ctx, changes, tie, { ...options, uri })
      break
    case 'again':
      changes
        .add(ctx.db.update(follows).set({ uri }).where(isFollow(tie)))
        .emit({ kind: 'follow.created', accountId: tie.from, targetAccountId: tie.to })
      break
    case 'ask-again':
      changes.add(ctx.db.update(followRequests).set({ uri }).where(isRequest(tie)))
      break
    case 'reject':
      emitRejection(changes, tie, uri)
  }
  await commit(ctx, changes)
  return done
}

/**
 * Rejects a Follow of a target that cannot be followed here, so that the request does not stay open at its server.
 */
export async function refuseFollow(
  ctx: Ctx,
  follower: RemoteSender,
  { target, uri }: { readonly target: AccountId; readonly uri: string | null },
): Promise<Outcome> {
  if (await execute(ctx.db, wasReceived(ctx, uri))) return ignored('received before')
  const changes = new Changes()
  deduplicateActivity(ctx, changes, uri)
  emitRejection(changes, { from: follower.id, to: target }, uri)
  await commit(ctx, changes)
  return done
}

/** An Undo of a Follow: the local target, its own id, and that of the Follow. */
export interface ReceivedUnfollow {
  readonly username: string
  readonly uri: string | null
  readonly followUri: string | null
}

/**
 * Ends the follow or the request of a remote account. A Follow that arrives after its Undo has no effect. Emits
 * `follow.removed` for a follow that existed.
 */
export async function receiveUnfollow(
  ctx: Ctx,
  follower: RemoteSender,
  { username, uri, followUri }: ReceivedUnfollow,
): Promise<Outcome> {
  const target = idByHandle({ username, domain: null })
  const { pair, before } = await execute(
    ctx.db,
    combineQueries({ pair: relationshipPair(ctx, follower.id, target), before: wasReceived(ctx, uri) }),
  )
  if (before) return ignored('received before')
  if (pair === null) return ignored('the target of the unfollow is unknown')
  const tie = { from: follower.id, to: pair.id }
  const changes = new Changes()
  deduplicateActivity(ctx, changes, uri)
  tombstoneActivity(ctx, changes, [followUri])
  if (pair.ties.follows !== null) {
    dropFollow(ctx, changes, tie)
    changes.emit(followRemoved(tie, pair.ties.follows, follower.id))
  }
  if (pair.requested) dropFollowRequest(ctx, changes, tie)
  await commit(ctx, changes)
  return done
}

/** No row was stored for it: only its activity id identifies it. */
function emitRejection(changes: Changes, { from, to }: FollowPair, uri: string | null): void {
  const refusal = { accountId: from, targetAccountId: to, by: to, followId: null, uri }
  changes.emit({ kind: 'follow.rejected', ...refusal })
}

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
  const { id, accountId } = request
  const changes = new Changes().require(
    sql`exists (select 1 from follow_requests where id = ${id})`,
    new Conflict('answered_already'),
  )
  addFollow(ctx, changes, { from: accountId, to: target.id }, { ...followOptionsOf(request), id })
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
