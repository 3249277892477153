import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { statuses, type Visibility } from '../../db/schema/statuses'
import { Conflict } from '../../errors'
import { readStatusUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, done, ignored, type Outcome, rejected } from '../core/changes'
import type { RemoteSender } from '../core/viewer'
import { notify } from '../notifications/notify'
import { mayInteract } from '../policy/interaction'
import { isReblogOfMany, type StatusRow, type VisibleStatus } from '../policy/visibility'
import { incrementCounters } from '../statuses/counters'
import { statusExists } from '../statuses/find'
import { idByAddress } from '../statuses/find-address'
import { isUnknownUri, type ReblogFacts, reblogFacts } from '../statuses/remote/find-remote'
import { importStatus } from '../statuses/remote/import'
import { isRecent } from '../statuses/remote/plan-remote'
import type { RemoteStatus } from '../statuses/remote/remote-status'
import { commitPublished } from '../statuses/store'
import { fanOut } from '../timelines/fan-out'

/** Announce of a remote account. */
export interface RemoteReblog {
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
