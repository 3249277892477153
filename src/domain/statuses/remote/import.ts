import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../../db/query'
import { statuses } from '../../../db/schema'
import { Conflict } from '../../../errors'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { moveConversations } from '../../conversations/entries'
import { Changes, commit } from '../../core/changes'
import { fanOutLateReplies } from '../../timelines/fan-out'
import { type ThreadNode, threadNode } from '../find-thread'
import { isVerifiable } from '../quotes/plan-quote'
import { commitPublished, storeStatus } from '../store'
import {
  awaitingThreads,
  type ImportFacts,
  importFacts,
  isUnknownUri,
  lateReplies,
  openReplyCount,
  orphansOf,
} from './find-remote'
import {
  applyDomainLimit,
  type ImportReason,
  isMissingParent,
  planRemote,
  type Refusal,
  refuseImport,
} from './plan-remote'
import type { RemoteStatus } from './remote-status'

export type Imported = { readonly kind: 'stored'; readonly id: StatusId } | Refusal

export interface ImportRequest {
  readonly status: RemoteStatus
  readonly occasion: ImportReason
  /** Conversation that its parent has to be in; absent for any. */
  readonly within?: StatusId
  /** Remaining thread levels that jobs may fetch: up to ancestors, down to replies. */
  readonly levels?: { readonly up: number; readonly down: number }
}

/** Ancestors fetched one after another for an arriving status. */
export const maxLevelsUp = 20

/**
 * Stores a remote status of a known account: one round trip to load, one to commit.
 *
 * Duplicates, also late or concurrent ones, change nothing. The same batch adds the status to home feeds,
 * notifies mentioned accounts and subscribers of the author, and attaches replies stored earlier. Unknown
 * ancestors are fetched by a job (`fetch-ancestors`), replies likewise (`fetch-replies`). Refusals: `refuseImport`.
 */
export async function importStatus(ctx: Ctx, author: AccountId, order: ImportRequest): Promise<Imported> {
  const { occasion } = order
  const facts = await execute(ctx.db, importFacts(ctx, author, order.status))
  const status = applyDomainLimit(order.status, facts.limit)
  const refusal = refuseImport(status, facts, order)
  if (refusal !== null) return refusal
  const duplicate = new Conflict('post_known')
  const terms = { author, occasion, origin: ctx.config.origin, now: ctx.clock.now(), pollId: ctx.ids.next() }
  const attachmentIds = status.attachments.map(() => ctx.ids.next())
  try {
    const id = await commitPublished(ctx, status.publishedAt, (id) => {
      const changes = new Changes().require(isUnknownUri(status.uri), duplicate)
      const plan = planRemote(status, facts, { ...terms, id, attachmentIds })
      storeStatus(ctx, changes, plan)
      if (plan.quote !== null && isVerifiable(plan.quote, status.uri))
        changes.enqueue({ kind: 'verify-quote', statusId: id })
      if (facts.held.awaitedIn !== null)
        attachReplies(ctx, changes, { ...plan.status, late: facts.held.late }, status.uri)
      requestThread(ctx, changes, { id, facts, order })
      return changes
    })
    return { kind: 'stored', id }
  } catch (failure) {
    if (failure === duplicate) return { kind: 'ignored', reason: 'concurrent duplicate' }
    throw failure
  }
}

/**
 * Attaches replies that wait for `uri` to the status at the address `parent`; false if it is not stored yet.
 * Replies whose authors may not see it stay unattached.
 */
export async function attachOrphans(
  ctx: Ctx,
  { uri, parent }: { readonly uri: string; readonly parent: string },
): Promise<boolean> {
  const { node, late } = await execute(
    ctx.db,
    combineQueries({ node: threadNode(ctx, parent), late: lateReplies(ctx, uri) }),
  )
  if (node === null) return false
  const changes = new Changes()
  attachReplies(ctx, changes, { ...node, late }, uri)
  await commit(ctx, changes)
  return true
}

/** Attaches replies stored before their parent, and moves their threads to its conversation. */
function attachReplies(
  ctx: Ctx,
  changes: Changes,
  node: ThreadNode & { readonly late: readonly StatusId[] },
  uri: string,
): void {
  const { id, accountId, conversationId, late } = node
  for (const statusId of late) changes.publish({ kind: 'status.posted', statusId })
  changes.add(
    moveConversations(ctx, awaitingThreads(uri), conversationId),
    ctx.db
      .update(statuses)
      .set({ conversationId })
      .where(sql`id in (${awaitingThreads(uri)}) and conversation_id <> ${conversationId}`),
    ctx.db
      .update(statuses)
      .set({ inReplyToId: id, inReplyToAccountId: accountId, inReplyToUri: null })
      .where(sql`id in (${orphansOf(id, uri)})`),
    ctx.db
      .update(statuses)
      .set({ repliesCount: openReplyCount(id) })
      .where(eq(statuses.id, id)),
    ...fanOutLateReplies(ctx, id),
  )
}

function requestThread(
  ctx: Ctx,
  changes: Changes,
  { id, facts, order }: { readonly id: StatusId; readonly facts: ImportFacts; readonly order: ImportRequest },
): void {
  const { status, levels = { up: maxLevelsUp, down: 0 } } = order
  if (levels.up > 0 && isMissingParent(ctx.config.origin, status, facts))
    changes.enqueue({ kind: 'fetch-ancestors', statusId: id, levels: levels.up })
  if (levels.down > 0 && status.repliesUri !== null)
    changes.enqueue({ kind: 'fetch-replies', statusId: id, levels: levels.down })
}
