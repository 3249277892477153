import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { statuses, type Visibility } from '../../db/schema/statuses'
import { Conflict } from '../../errors'
import { readStatusUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, rejected } from '../core/outcome'
import { notify } from '../notifications/notify'
import { mayInteract } from '../policy/interaction'
import type { StatusRow, VisibleStatus } from '../policy/visibility'
import { commitPublished } from '../statuses/commit-published'
import { incrementCounters } from '../statuses/counters'
import { statusExists } from '../statuses/find'
import { idByAddress } from '../statuses/find-address'
import { isUnknownUri, type ReblogFacts, reblogFacts } from '../statuses/remote/find-remote'
import { importStatus } from '../statuses/remote/import'
import { isRecent } from '../statuses/remote/plan-remote'
import type { RemoteStatus } from '../statuses/remote/remote-status'
import { fanOut } from '../timelines/fan-out'

/** An Announce as somebody of another server sent it. */
export interface RemoteReblog {
  readonly uri: string
  /** What it shares. */
  readonly statusUri: string
  readonly visibility: Visibility
  /** Clamped to now. */
  readonly publishedAt: Date
  /** The shared post, where it is the doer's own and came along. */
  readonly inlined?: RemoteStatus | null
}

interface ActingAccount {
  readonly id: AccountId
}

/**
 * Somebody elsewhere shares a status. What it shares is taken from here or, when nobody here has it yet, asked for
 * at its own server by a job (`reblog.wanted`): never from what came along, but for a post of their own.
 *
 * Kept when the status is one of ours or somebody here follows the doer. Enters their feeds and tells a local author.
 */
export async function receiveReblog(ctx: Ctx, doer: ActingAccount, reblog: RemoteReblog): Promise<Outcome> {
  const original = idByAddress(ctx, reblog.statusUri)
  const facts = await execute(ctx.db, reblogFacts(ctx, doer.id, { uri: reblog.uri, original }))
  if (facts.heard) return ignored('known already, or taken back')
  if (facts.original !== null) return storeReblog(ctx, doer, { reblog, facts, original: facts.original })
  if (!facts.doerFollowed) return ignored('nobody concerned')
  if (readStatusUri(ctx.config.origin, reblog.statusUri) !== null)
    return ignored('shares what is not there, or not for its actor')
  const { inlined = null, ...order } = reblog
  if (inlined !== null) return storeInlined(ctx, doer, { ...order, inlined })
  const { uri, statusUri, visibility, publishedAt } = order
  const wanted = { accountId: doer.id, uri, statusUri, visibility, publishedAt: publishedAt.getTime() }
  await commit(ctx, new Changes().enqueue({ kind: 'fetch-reblogged-status', ...wanted }))
  return done
}

/** Stores a post that its author shares and sends along, and then that they share it. An old one enters no feed. */
async function storeInlined(
  ctx: Ctx,
  doer: ActingAccount,
  { inlined, ...reblog }: RemoteReblog & { readonly inlined: RemoteStatus },
): Promise<Outcome> {
  const imported = await importStatus(ctx, doer.id, { status: inlined, occasion: 'fetched' })
  if (imported.kind !== 'stored' && imported.kind !== 'duplicate') return imported
  return storeFetchedReblog(ctx, doer, { ...reblog, statusId: imported.id })
}

/** The same once what it shares was fetched and is the status `statusId` here. */
export async function storeFetchedReblog(
  ctx: Ctx,
  doer: ActingAccount,
  { statusId, ...reblog }: RemoteReblog & { readonly statusId: StatusId },
): Promise<Outcome> {
  const facts = await execute(
    ctx.db,
    reblogFacts(ctx, doer.id, { uri: reblog.uri, original: sql`${statusId}` }),
  )
  if (facts.heard) return ignored('known already, or taken back')
  if (facts.original === null) return ignored('shares what is not for its actor')
  try {
    return await storeReblog(ctx, doer, { reblog, facts, original: facts.original })
  } catch (failure) {
    if (failure instanceof Conflict) return ignored(failure.message)
    throw failure
  }
}

/** Why a status may not be shared, or null. Pure. */
function refuseReblog(
  doer: AccountId,
  original: Pick<StatusRow, 'accountId' | 'visibility' | 'local' | 'reblogPolicy'>,
  facts: Pick<ReblogFacts, 'answering' | 'doerFollowed'>,
): Outcome | null {
  const isOwn = original.accountId === doer
  if (original.visibility === 'direct') return rejected('shares a direct status')
  if (original.visibility === 'private' && !isOwn) return rejected('shares a private status of somebody else')
  if (original.local && !mayInteract(original.reblogPolicy, facts.answering))
    return rejected('the author wants this not shared')
  return original.local || facts.doerFollowed ? null : ignored('nobody concerned')
}

interface ReblogOrder {
  readonly reblog: RemoteReblog
  readonly facts: ReblogFacts
  readonly original: VisibleStatus
}

async function storeReblog(
  ctx: Ctx,
  doer: ActingAccount,
  { reblog, facts, original }: ReblogOrder,
): Promise<Outcome> {
  const refusal = refuseReblog(doer.id, original, facts)
  if (refusal !== null) return refusal
  const visibility = original.visibility === 'private' ? 'private' : reblog.visibility
  await commitPublished(ctx, reblog.publishedAt, (id) => {
    const row = {
      id,
      accountId: doer.id,
      local: false,
      uri: reblog.uri,
      visibility,
      reblogOfId: original.id,
      conversationId: id,
      createdAt: reblog.publishedAt,
      inReplyToId: null,
    }
    const changes = new Changes().require(isUnknownUri(reblog.uri), new Conflict('known already')).add(
      ctx.db.insert(statuses).values(row).onConflictDoNothing(),
      // What follows does nothing where the doer shared it before.
      ...fanOut(ctx, row),
      ...incrementCounters(ctx, row, statusExists(id)),
    )
    const notice = { to: original.accountId, from: doer.id, type: 'reblog', statusId: original.id } as const
    if (isRecent(reblog, ctx.clock.now())) changes.publish({ kind: 'status.posted', statusId: id })
    if (original.local) notify(ctx, changes, [notice])
    return changes
  })
  return done
}
