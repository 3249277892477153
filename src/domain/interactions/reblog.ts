import { sql } from 'drizzle-orm'
import { readStatusUri } from '../../contract/addresses'
import { combineQueries, execute } from '../../db/query'
import { statuses, type Visibility } from '../../db/schema/statuses'
import { Conflict, Forbidden, NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import { type RemoteSender, type Viewer, viewerById } from '../core/viewer'
import { notify } from '../notifications/notify'
import { blockSql } from '../policy/block-predicates'
import { decideApproval, mayInteract } from '../policy/interaction'
import { isReblogOfMany, type StatusRow, type VisibleStatus } from '../policy/visibility'
import {
  idByAddress,
  isStillVisible,
  originalOf,
  ownReblog,
  statusExists,
  visibleOriginal,
} from '../statuses/find'
import { authorRelationOf } from '../statuses/find-author'
import { isUnknownUri, type ReblogFacts, reblogFacts } from '../statuses/remote/find-remote'
import { importStatus, isRecent } from '../statuses/remote/import'
import type { RemoteStatus } from '../statuses/remote/remote-status'
import { removeStatus, statusRemoved } from '../statuses/remove'
import { commitPublished, incrementCounters } from '../statuses/store'
import { fanOut } from '../timelines/fan-out'
import { preferencesOf } from '../users/defaults'

/** Visibility of a reblog; a direct one would have no audience. */
type ReblogVisibility = Exclude<Visibility, 'direct'>

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

/** Announce of a remote account. */
interface RemoteReblog {
  readonly uri: string
  /** URI of the reblogged status. */
  readonly statusUri: string
  readonly visibility: Visibility
  /** Clamped to now. */
  readonly publishedAt: Date
  /** The reblogged status, where it is the actor's own and was embedded. */
  readonly inlined?: RemoteStatus | null
}

/**
 * Handles a remote reblog. An unknown original is fetched from its own server by a job (`fetch-reblogged-status`),
 * never taken from the embedded object, except for a status of the actor's own.
 *
 * Stored when the status is local or the actor has local followers. Enters their feeds and notifies a local author.
 */
export async function receiveReblog(ctx: Ctx, actor: RemoteSender, reblog: RemoteReblog): Promise<Outcome> {
  const original = idByAddress(ctx, reblog.statusUri)
  const facts = await execute(ctx.db, reblogFacts(ctx, actor.id, { uri: reblog.uri, original }))
  if (facts.isHandled) return ignored('known already, or undone')
  if (facts.original !== null) return storeReblog(ctx, actor, { reblog, facts, original: facts.original })
  if (!facts.doerFollowed) return ignored('no local relevance')
  if (readStatusUri(ctx.config.origin, reblog.statusUri) !== null)
    return ignored('status unknown, or not visible to the actor')
  const { inlined = null, ...order } = reblog
  if (inlined !== null) return storeInlined(ctx, actor, { ...order, inlined })
  const { uri, statusUri, visibility, publishedAt } = order
  const wanted = { accountId: actor.id, uri, statusUri, visibility, publishedAt: publishedAt.getTime() }
  // Queued without the outbox, which writes two rows: no row is stored beside the job.
  await ctx.jobs.send({ kind: 'fetch-reblogged-status', ...wanted })
  return done
}

/** Stores a status that its author reblogs and embeds, then the reblog. An old one enters no feed. */
async function storeInlined(
  ctx: Ctx,
  actor: RemoteSender,
  { inlined, ...reblog }: RemoteReblog & { readonly inlined: RemoteStatus },
): Promise<Outcome> {
  const imported = await importStatus(ctx, actor.id, { status: inlined, occasion: 'fetched' })
  if (imported.kind !== 'stored' && imported.kind !== 'duplicate') return imported
  return storeFetchedReblog(ctx, actor, { ...reblog, statusId: imported.id })
}

/** Stores a reblog once its original was fetched and is the status `statusId` here. */
export async function storeFetchedReblog(
  ctx: Ctx,
  actor: RemoteSender,
  { statusId, ...reblog }: RemoteReblog & { readonly statusId: StatusId },
): Promise<Outcome> {
  const facts = await execute(
    ctx.db,
    reblogFacts(ctx, actor.id, { uri: reblog.uri, original: sql`${statusId}` }),
  )
  if (facts.isHandled) return ignored('known already, or undone')
  if (facts.original === null) return ignored('status not visible to the actor')
  try {
    return await storeReblog(ctx, actor, { reblog, facts, original: facts.original })
  } catch (failure) {
    if (failure instanceof Conflict) return ignored(failure.message)
    throw failure
  }
}

/** Outcome for a status that may not be reblogged, or null. Pure. */
function refuseReblog(
  actor: AccountId,
  original: Pick<StatusRow, 'accountId' | 'visibility' | 'local' | 'reblogPolicy'>,
  facts: Pick<ReblogFacts, 'answering' | 'doerFollowed'>,
): Outcome | null {
  const isOwn = original.accountId === actor
  if (original.visibility === 'direct') return rejected('reblogs a direct status')
  if (original.visibility === 'private' && !isOwn)
    return rejected('reblogs a private status of another account')
  if (original.local && !mayInteract(original.reblogPolicy, facts.answering))
    return rejected('the author does not allow reblogs')
  return original.local || facts.doerFollowed ? null : ignored('no local relevance')
}

interface ReblogOrder {
  readonly reblog: RemoteReblog
  readonly facts: ReblogFacts
  readonly original: VisibleStatus
}

async function storeReblog(
  ctx: Ctx,
  actor: RemoteSender,
  { reblog, facts, original }: ReblogOrder,
): Promise<Outcome> {
  const refusal = refuseReblog(actor.id, original, facts)
  if (refusal !== null) return refusal
  const visibility = original.visibility === 'private' ? 'private' : reblog.visibility
  await commitPublished(ctx, reblog.publishedAt, (id) => {
    const row = {
      id,
      accountId: actor.id,
      local: false,
      uri: reblog.uri,
      visibility,
      reblogOfId: original.id,
      conversationId: id,
      createdAt: reblog.publishedAt,
      inReplyToId: null,
    }
    const changes = new Changes().require(isUnknownUri(reblog.uri), new Conflict('known_already')).add(
      ctx.db
        .insert(statuses)
        .values({ ...row, reblogOfMany: isReblogOfMany(original.id) })
        .onConflictDoNothing(),
      // The following have no effect where the actor reblogged it before.
      ...fanOut(ctx, row),
      ...incrementCounters(ctx, row, statusExists(id)),
    )
    const notification = {
      to: original.accountId,
      from: actor.id,
      type: 'reblog',
      statusId: original.id,
    } as const
    if (isRecent(reblog, ctx.clock.now())) changes.publish({ kind: 'status.posted', statusId: id })
    if (original.local) notify(ctx, changes, [notification])
    return changes
  })
  return done
}
