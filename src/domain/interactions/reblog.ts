import { sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { statuses } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import { Forbidden, NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { notify } from '../notifications/notify'
import { blockSql } from '../policy/block-predicates'
import { decideApproval } from '../policy/interaction'
import { isReblogOfMany, type StatusRow } from '../policy/visibility'
import { incrementCounters } from '../statuses/counters'
import { isStillVisible, originalOf, ownReblog, statusExists, visibleOriginal } from '../statuses/find'
import { authorRelationOf } from '../statuses/find-author'
import { removeStatus, statusRemoved } from '../statuses/remove'
import { fanOut } from '../timelines/fan-out'
import { preferencesOf } from '../users/defaults'

/** Visibility of a reblog; a direct one would have no audience. */
export type ReblogVisibility = Exclude<Visibility, 'direct'>

/** Visibility of a reblog of `status`. Pure; `Forbidden` for a status that may not be reblogged. */
export function decideReblog(
  viewer: Viewer,
  status: Pick<StatusRow, 'accountId' | 'visibility'>,
  asked: ReblogVisibility | undefined,
): ReblogVisibility {
  if (status.visibility === 'direct') throw new Forbidden()
  if (status.visibility === 'private') {
    if (status.accountId !== viewer.id) throw new Forbidden()
    return 'private'
  }
  const usual = preferencesOf(viewer).visibility
  return asked ?? (usual === 'direct' ? 'private' : usual)
}

/**
 * Makes `viewer` reblog the status `id`, or its original, and returns the original. Idempotent.
 *
 * `NotFound` for a status they may not see, `Forbidden` for a direct one, another account's private one, and where
 * the viewer blocks the author or is not allowed to reblog it. Where a remote author requires approval, the reblog
 * stays pending and visible to the viewer only (`approval.requested`). Notifies a local author; enters the home
 * feeds of followers. Emits `reblog.created`.
 */
export async function reblogStatus(
  ctx: Ctx,
  viewer: Viewer,
  order: { readonly id: StatusId; readonly visibility?: ReblogVisibility | undefined },
): Promise<StatusId> {
  const { original, standing } = await execute(
    ctx.db,
    combineQueries({
      original: visibleOriginal(ctx, viewerById(viewer.id), order.id),
      standing: authorRelationOf(ctx, viewer.id, originalOf(order.id)),
    }),
  )
  if (original === null || standing === null) throw new NotFound()
  const consent = decideApproval('reblog', viewer.id, { status: original, standing })
  if (consent === 'refused') throw new Forbidden('reblog_refused')
  const isAsked = consent === 'asked'
  const wanted = decideReblog(viewer, original, order.visibility)
  const visibility: Visibility = isAsked ? 'direct' : wanted
  const id = ctx.ids.next()
  const reblog = {
    id,
    accountId: viewer.id,
    visibility,
    reblogOfId: original.id,
    inReplyToId: null,
    local: true,
    localOnly: original.localOnly,
    conversationId: id,
    createdAt: ctx.clock.now(),
    applicationId: viewer.applicationId,
    approval: isAsked ? ({ state: 'pending', uri: null, held: wanted } as const) : null,
  }
  const changes = new Changes()
    .require(isStillVisible(viewerById(viewer.id), original.id), new NotFound())
    .require(sql`not ${blockSql.blocks(viewer.id, original.accountId)}`, new Forbidden())
    .add(
      ctx.db
        .insert(statuses)
        .values({ ...reblog, reblogOfMany: isReblogOfMany(original.id) })
        .onConflictDoNothing(),
      // The following have no effect where the reblog existed already.
      ...(isAsked ? [] : fanOut(ctx, reblog)),
      ...incrementCounters(ctx, reblog, statusExists(id)),
    )
  if (!isAsked) changes.publish({ kind: 'status.posted', statusId: id })
  notify(ctx, changes, [{ to: original.accountId, from: viewer.id, type: 'reblog', statusId: original.id }])
  const kind = isAsked ? 'approval.requested' : 'reblog.created'
  if (!original.localOnly) changes.emit({ kind, accountId: viewer.id, statusId: id })
  await commit(ctx, changes)
  return original.id
}

/**
 * Removes the viewer's reblog of the status `id`, or of its original, also after the author hid the original.
 * Without a reblog a hidden status is `NotFound`, and a visible one stays as it is.
 */
export async function unreblogStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const { reblog, visible } = await execute(
    ctx.db,
    combineQueries({
      reblog: ownReblog(ctx, viewer.id, id),
      visible: visibleOriginal(ctx, viewerById(viewer.id), id),
    }),
  )
  const original = reblog?.reblogOfId ?? visible?.id
  if (original === undefined) throw new NotFound()
  if (reblog === null) return original
  const changes = new Changes()
  removeStatus(ctx, changes, { author: viewer, status: reblog })
  if (!reblog.localOnly) changes.emit(statusRemoved(reblog, []))
  await commit(ctx, changes)
  return original
}
