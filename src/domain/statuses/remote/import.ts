import { eq, sql } from 'drizzle-orm'
import { readStatusUri } from '../../../contract/addresses'
import { combineQueries, execute } from '../../../db/query'
import { statuses } from '../../../db/schema'
import type { Attachment, StatusTag } from '../../../db/values'
import { Conflict } from '../../../errors'
import type { AccountId, PollId, StatusId } from '../../../lib/ids'
import { withinBytes } from '../../../lib/text/bytes'
import { sameOrigin } from '../../../lib/web-address'
import type { Ctx } from '../../../ports/ctx'
import { moveConversations } from '../../conversations/entries'
import { Changes, commit } from '../../core/changes'
import { mayInteract } from '../../policy/interaction'
import { fanOutLateReplies } from '../../timelines/fan-out'
import { type ThreadNode, threadNode } from '../find-thread'
import { mentionOf, type PlannedPoll, type StatusPlan, subscribersInLanguage } from '../plan'
import { isVerifiable, planRemoteQuote } from '../quotes/plan-quote'
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
import { type RemoteAttachment, type RemotePoll, type RemoteStatus, shortenRepliesUri } from './remote-status'

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

/**
 * Origin of a remote status: delivered by its server, fetched on request, or fetched since a relay passed it on, which
 * is as good as delivered but for public statuses alone.
 */
type ImportReason = 'delivered' | 'fetched' | 'relayed'

type Refusal =
  | { readonly kind: 'duplicate'; readonly id: StatusId }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string }

/**
 * Reason why a remote status is not stored, or null. Pure.
 *
 * A public status is stored if it was fetched or is relevant: a local account follows its author, it mentions a
 * local account, replies to a known status, or quotes a local one. Others need a local recipient.
 */
function refuseImport(
  status: RemoteStatus,
  facts: ImportFacts,
  { occasion, within }: { readonly occasion: ImportReason; readonly within?: StatusId },
): Refusal | null {
  const { held, parent, answering } = facts
  if (held.statusId !== null) return { kind: 'duplicate', id: held.statusId }
  if (held.deleted) return { kind: 'ignored', reason: 'deleted before' }
  if (facts.limit?.severity === 'suspend') return { kind: 'rejected', reason: 'its server is suspended' }
  if (held.authorSuspended) return { kind: 'rejected', reason: 'the author is suspended' }
  if (occasion === 'relayed' && status.visibility !== 'public')
    return { kind: 'ignored', reason: 'relayed, but not public' }
  if (within !== undefined && parent?.conversationId !== within)
    return { kind: 'ignored', reason: 'not of the thread it was listed in' }
  if (!isRelevant(status, facts, occasion)) return { kind: 'ignored', reason: 'nobody concerned' }
  if (parent?.local === true && !mayInteract(parent.replyPolicy, answering))
    return { kind: 'rejected', reason: 'the reply policy of the parent forbids it' }
  return null
}

function isRelevant(status: RemoteStatus, facts: ImportFacts, occasion: ImportReason): boolean {
  const { held, parent, mentioned } = facts
  if (mentioned.some(({ domain }) => domain === null)) return true
  if (status.visibility === 'direct') return false
  // Consent to a quote concerns a stored status.
  if (held.authorFollowed || held.quotesLocal) return true
  if (status.visibility === 'private') return false
  return occasion !== 'delivered' || parent !== null
}

/** Older statuses are history: they enter no feed and send no notifications. As in Mastodon. */
const liveMilliseconds = 6 * 3_600_000

interface RemoteTerms {
  readonly origin: string
  readonly now: Date
  readonly author: AccountId
  readonly id: StatusId
  readonly pollId: PollId
  /** Attachment ids, as many as attachments. */
  readonly attachmentIds: readonly number[]
  readonly occasion: ImportReason
}

/** Turns a remote status into a plan. Pure. */
function planRemote(status: RemoteStatus, facts: ImportFacts, terms: RemoteTerms): StatusPlan {
  const { parent, held } = facts
  const { mentions, addressed, notified } = recipientsOf(status, facts, terms.origin)
  const { poll, ...tagged } = { poll: status.poll, tags: uniqueTags(status.tags) }
  const entersHomes = terms.occasion === 'delivered' || isRecent(status, terms.now)
  const answersOthers = status.inReplyTo !== null && parent?.accountId !== terms.author
  const skipsSubscribers = !entersHomes || status.visibility === 'direct' || answersOthers
  return {
    status: {
      id: terms.id,
      accountId: terms.author,
      local: false,
      uri: status.uri,
      url: status.url,
      visibility: status.visibility,
      createdAt: status.publishedAt,
      // Two dates that lie ahead are both now.
      editedAt: status.editedAt !== null && status.editedAt > status.publishedAt ? status.editedAt : null,
      content: status.content,
      spoilerText: status.spoilerText,
      sensitive: status.sensitive,
      language: status.language,
      reblogOfId: null,
      repliesUri: shortenRepliesUri(status.uri, status.repliesUri),
      contextUri: parent === null ? contextOf(status, terms) : null,
      inReplyToId: parent?.id ?? null,
      inReplyToAccountId: parent?.accountId ?? null,
      inReplyToUri: parent === null ? status.inReplyTo : null,
      conversationId: parent?.conversationId ?? held.awaitedIn ?? terms.id,
      pollId: poll === null ? null : terms.pollId,
      attachments: attachmentsOf(status.attachments, terms.attachmentIds),
      mentions,
      ...tagged,
      emojis: status.emojis,
      linkedCollections: facts.collections,
      untrustedFavouritesCount: status.favouritesCount,
      untrustedReblogsCount: status.reblogsCount,
      quotePolicy: status.quotePolicy,
      replyPolicy: status.replyPolicy,
      reblogPolicy: status.reblogPolicy,
      likePolicy: status.likePolicy,
      askedFirst: status.askedFirst,
    },
    mentions,
    addressed,
    ...tagged,
    poll: poll === null ? null : planRemotePoll(poll, terms.now),
    quote: planRemoteQuote(status.quote, facts.quoted),
    attachedPage: status.attachedPage,
    shortcodes: [],
    mediaIds: [],
    notifyMentioned: entersHomes ? notified : [],
    notifySubscribers: skipsSubscribers
      ? []
      : subscribersInLanguage(facts.listeners, status.language).filter((id) => !notified.includes(id)),
    entersHomes,
    isLive: terms.occasion !== 'fetched' && isRecent(status, terms.now),
  }
}

/** Threads of this server are known by their root: no remote status may claim to be the root of one. */
function contextOf({ contextUri }: RemoteStatus, { origin }: RemoteTerms): string | null {
  return contextUri === null || sameOrigin(contextUri, origin) ? null : contextUri
}

/** Strips media and emojis if moderators reject the media of its server. */
export function applyDomainLimit(status: RemoteStatus, limit: ImportFacts['limit']): RemoteStatus {
  return limit?.rejectMedia === true ? { ...status, attachments: [], emojis: [] } : status
}

/** True if published within the last six hours. */
export function isRecent({ publishedAt }: Pick<RemoteStatus, 'publishedAt'>, now: Date): boolean {
  return now.getTime() - publishedAt.getTime() < liveMilliseconds
}

/** Limit on mentions shown with a status; a hundred of usual length take 20 KB. */
const maxMentionBytes = 32_768

/** Mentioned and merely addressed accounts of a status, and local accounts to notify; without duplicates. */
export function recipientsOf(
  status: Pick<RemoteStatus, 'silent'>,
  { mentioned }: Pick<ImportFacts, 'mentioned'>,
  origin: string,
) {
  const silent = new Set(status.silent)
  const reachable = mentioned.filter(({ suspendedAt }) => suspendedAt === null)
  const named = reachable.filter(({ asked }) => !silent.has(asked))
  const mentions = withinBytes(
    named.map((account) => mentionOf(account, origin)),
    maxMentionBytes,
  )
  return {
    mentions,
    // Mentions beyond the limit may still see it and are still notified.
    addressed: reachable
      .filter(({ asked, id }) => silent.has(asked) || !mentions.some((mention) => mention.id === id))
      .map(({ id }) => id),
    notified: named.filter(({ domain }) => domain === null).map(({ id }) => id),
  }
}

/** Removes duplicate tags, whose spellings may differ. */
export function uniqueTags(tags: readonly StatusTag[]): readonly StatusTag[] {
  return [...new Map(tags.toReversed().map((tag) => [tag.name, tag])).values()].toReversed()
}

export function attachmentsOf(
  attachments: readonly RemoteAttachment[],
  ids: readonly number[],
): readonly Attachment[] {
  return attachments.flatMap(({ url, previewUrl, type, description, blurhash, meta }, index) => {
    const id = ids[index]
    const preview = previewUrl === null ? null : { remote: previewUrl }
    return id === undefined ? [] : [{ id, type, file: { remote: url }, preview, description, blurhash, meta }]
  })
}

/** Poll with counts reported by its server; an ended poll is closed without notifying voters. */
export function planRemotePoll(poll: RemotePoll, now: Date): PlannedPoll {
  const { options, multiple, expiresAt, votersCount } = poll
  const tallies = options.map((_, index) => poll.tallies[index] ?? 0)
  const isOver = expiresAt !== null && expiresAt <= now
  return {
    options,
    multiple,
    expiresAt,
    votersCount,
    tallies,
    hideTotals: false,
    votesCount: tallies.reduce((sum, votes) => sum + votes, 0),
    closedAt: poll.closedAt ?? (isOver ? expiresAt : null),
  }
}

/** True if the parent is remote and unknown. */
function isMissingParent(origin: string, status: RemoteStatus, { parent }: ImportFacts): boolean {
  return status.inReplyTo !== null && parent === null && readStatusUri(origin, status.inReplyTo) === null
}
