import { and, eq, sql } from 'drizzle-orm'
import { type Handle, ownSpelledOut } from '../../contract/handle'
import { mentionKey } from '../../contract/text/scan'
import { prepared } from '../../db/prepared'
import { combineQueries, constant, execute, jsonRows, map, type Query, rows } from '../../db/query'
import { follows, idempotencyKeys, mediaAttachments, scheduledStatuses } from '../../db/schema'
import { Conflict, NotFound } from '../../errors'
import type { AccountId, ScheduledId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { accountsByHandles } from '../accounts/find'
import { Changes, commit, commitAndRead } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import { unattachedMediaById } from '../media/find'
import { blockSql } from '../policy/block-predicates'
import { type ParsedDraft, parseDraft, type StatusDraft } from './draft'
import { originalOf, visibleOriginal } from './find'
import { authorRelationOf } from './find-author'
import { type CreatedPost, createdWithKey, keyLifetimeMilliseconds } from './find-by-idempotency-key'
import { type DraftFacts, type PostSubscriber, planStatus, type StatusPlan } from './plan'
import { quoteTarget } from './quotes/find-quotes'
import {
  isStillScheduled,
  NoLongerScheduled,
  ownsScheduled,
  type ScheduledRow,
} from './scheduled/find-scheduled'
import { storeStatus } from './store'

/** Draft that a request posts, and the query for what its response shows of the new status. */
export interface PostRequest<T> {
  readonly draft: StatusDraft
  readonly key?: string | null
  /** Scheduled status of the author that it publishes now instead. */
  readonly replaces?: ScheduledId | null
  read(id: StatusId): Query<T>
}

/** A new status, as its request reads it, or what an earlier request with the same idempotency key created. */
export type PostResult<T> =
  | { readonly kind: 'new'; readonly id: StatusId; readonly found: T }
  | { readonly kind: 'earlier'; readonly post: CreatedPost }

/**
 * Creates a status of `author` from a draft: one round trip to load, one to commit and read. Unknown remote accounts it
 * mentions are resolved first.
 *
 * With an idempotency key, returns what the key created within the last hour, also for concurrent duplicate
 * requests. `NotFound` if the scheduled status that it replaces is gone. The same batch adds the status to home feeds and notifies mentioned accounts and subscribers of the
 * author. Emits `status.created`. Errors: see `prepareStatus`.
 */
export async function createStatus<T>(
  ctx: Ctx,
  author: Viewer,
  { draft, key = null, replaces = null, read }: PostRequest<T>,
): Promise<PostResult<T>> {
  const prepared = await prepareStatus(ctx, author, { draft, key, heldBy: replaces })
  if (prepared.earlier !== null) return { kind: 'earlier', post: prepared.earlier }
  const { plan } = prepared
  const { id } = plan.status
  const changes = new Changes()
  addStatus(ctx, changes, plan)
  if (replaces !== null) removeScheduled(ctx, changes, { author: author.id, id: replaces })
  if (key !== null) return commitOnce(ctx, changes, { id, author: author.id, key, query: read(id) })
  const { found } = await commitAndRead(ctx, changes, read(id))
  return { kind: 'new', id, found }
}

/**
 * Publishes the scheduled status `row` and deletes the row in the same batch: repeated or concurrent runs create
 * one status. `NoLongerScheduled` if it was published, moved or cancelled meanwhile; otherwise as `createStatus`.
 */
export async function createScheduled(ctx: Ctx, author: Viewer, row: ScheduledRow): Promise<void> {
  const prepared = await prepareStatus(ctx, author, { draft: row.params, key: null, heldBy: row.id })
  if (prepared.earlier !== null) return
  const { plan } = prepared
  const changes = new Changes().require(isStillScheduled(row), new NoLongerScheduled())
  addStatus(ctx, changes, plan)
  changes.add(ctx.db.delete(scheduledStatuses).where(eq(scheduledStatuses.id, row.id)))
  const { idempotencyKey: key, createdAt } = row
  const isKeyAlive = ctx.clock.now().getTime() - createdAt.getTime() < keyLifetimeMilliseconds
  // A repeated request with this key returns the status from now on.
  if (key !== null && isKeyAlive)
    changes.add(storeIdempotencyKey(ctx, { key, accountId: author.id, statusId: plan.status.id, createdAt }))
  await commit(ctx, changes)
}

/** Deletes a scheduled status that is published now, and frees the uploads that it held and the new one has not. */
function removeScheduled(
  ctx: Ctx,
  changes: Changes,
  { author, id }: { readonly author: AccountId; readonly id: ScheduledId },
): void {
  changes
    .require(ownsScheduled(author, id), new NotFound())
    .add(
      ctx.db
        .update(mediaAttachments)
        .set({ scheduledStatusId: null, createdAt: ctx.clock.now() })
        .where(eq(mediaAttachments.scheduledStatusId, id)),
      ctx.db.delete(scheduledStatuses).where(eq(scheduledStatuses.id, id)),
    )
}

function addStatus(ctx: Ctx, changes: Changes, plan: StatusPlan): void {
  const { id: statusId, accountId, localOnly, approval = null } = plan.status
  storeStatus(ctx, changes, plan)
  if (approval?.state === 'pending') {
    changes.emit({ kind: 'approval.requested', accountId, statusId })
    return
  }
  if (localOnly !== true) changes.emit({ kind: 'status.created', accountId, statusId })
  if (plan.quote?.state === 'pending') changes.emit({ kind: 'quote.requested', accountId, statusId })
}

interface KeyedPost<T> {
  readonly id: StatusId
  readonly author: AccountId
  readonly key: string
  readonly query: Query<T>
}

/** Commits unless a concurrent duplicate request has used the key. */
async function commitOnce<T>(
  ctx: Ctx,
  changes: Changes,
  { id, author, key, query }: KeyedPost<T>,
): Promise<PostResult<T>> {
  const made = createdWithKey(ctx, author, key)
  const taken = new Conflict('posted_already')
  changes
    .require(made.free, taken)
    .add(storeIdempotencyKey(ctx, { key, accountId: author, statusId: id, createdAt: ctx.clock.now() }))
  try {
    const { found } = await commitAndRead(ctx, changes, query)
    return { kind: 'new', id, found }
  } catch (failure) {
    const earlier = failure === taken ? await execute(ctx.db, made.query) : null
    if (earlier === null) throw failure
    return { kind: 'earlier', post: earlier }
  }
}

function storeIdempotencyKey(ctx: Ctx, row: typeof idempotencyKeys.$inferInsert) {
  const { statusId, createdAt } = row
  return ctx.db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.accountId, idempotencyKeys.key],
      set: { statusId, createdAt },
    })
}

export interface PrepareOptions {
  readonly draft: StatusDraft
  /** Idempotency key: identifies one status, whatever the rest of the request says. */
  readonly key: string | null
  readonly heldBy?: ScheduledId | null
}

/**
 * Validates a draft of `author` and plans the status, or returns what the same idempotency key created before:
 * one round trip.
 *
 * Unknown remote accounts it mentions are resolved, for at most three seconds. Errors: see `parseDraft` and
 * `planStatus`.
 */
export async function prepareStatus(
  ctx: Ctx,
  author: Viewer,
  options: PrepareOptions,
): Promise<{ readonly plan: StatusPlan; readonly earlier: null } | { readonly earlier: CreatedPost }> {
  const { key, heldBy = null } = options
  const draft = parseDraft(options.draft, {
    statusCharacters: ctx.config.limits.statusCharacters,
    contentType: author.settings.defaultContentType ?? 'text/plain',
  })
  const { facts: first, earlier } = await execute(ctx.db, loadDraftFacts(ctx, author, { draft, key, heldBy }))
  if (earlier !== null) return { earlier }
  const facts = await resolveMentions(ctx, { draft, facts: first })
  const { origin, ownDomains } = ctx.config
  const plan = planStatus(draft, facts, {
    id: ctx.ids.next(),
    origin,
    ownDomains,
    now: ctx.clock.now(),
    pollId: ctx.ids.next(),
  })
  return { plan: { ...plan, heldBy }, earlier: null }
}

/** Limit on unknown handles resolved, and on the author's waiting time. */
const maxUnknown = 10
const timeoutMilliseconds = 3_000

/** Resolves unknown remote accounts mentioned in the text. Unresolved handles stay plain text. */
export async function resolveMentions(
  ctx: Ctx,
  { draft, facts }: { readonly draft: ParsedDraft; readonly facts: DraftFacts },
): Promise<DraftFacts> {
  // A missing parent is refused anyway: send no requests.
  if (draft.inReplyToId !== undefined && facts.parent === null) return facts
  const known = new Set(facts.mentioned.map((account) => mentionKey(account)))
  const unknown = draft.parsed.mentions
    .map((mention) => ownSpelledOut(mention, ctx.config.ownDomains))
    .flatMap(({ username, domain }) => (domain === null ? [] : [{ username, domain }]))
    .filter((handle) => !known.has(mentionKey(handle)))
    .slice(0, maxUnknown)
  if (unknown.length === 0) return facts
  const found = await ctx.resolver.resolveHandles(unknown, timeoutMilliseconds)
  if (!found) return facts
  return { ...facts, ...(await execute(ctx.db, mentionFacts(ctx, facts.author.id, draft))) }
}

/** A draft, its idempotency key, and the scheduled status that holds its uploads. */
export interface DraftRequest {
  readonly draft: ParsedDraft
  readonly key: string | null
  readonly heldBy?: ScheduledId | null | undefined
}

/** Loads the facts that validate a draft and any earlier result of its idempotency key: one round trip. */
export function loadDraftFacts(
  ctx: Ctx,
  author: Viewer,
  { draft, key, heldBy }: DraftRequest,
): Query<{ readonly facts: DraftFacts; readonly earlier: CreatedPost | null }> {
  const { inReplyToId, quotedId, mediaIds, shortcodes } = draft
  const found = combineQueries({
    earlier: key === null ? constant(null) : createdWithKey(ctx, author.id, key).query,
    parent:
      inReplyToId === undefined ? constant(null) : visibleOriginal(ctx, viewerById(author.id), inReplyToId),
    answering:
      inReplyToId === undefined ? constant(null) : authorRelationOf(ctx, author.id, originalOf(inReplyToId)),
    quoted: quotedId === undefined ? constant(null) : quoteTarget(ctx, author.id, quotedId),
    media:
      mediaIds.length === 0 ? constant([]) : unattachedMediaById(ctx, author.id, { ids: mediaIds, heldBy }),
    named: mentionFacts(ctx, author.id, draft),
    emojis: shortcodes.length === 0 ? constant([]) : emojisByShortcodes(ctx, shortcodes),
    listeners: postSubscribersOf(ctx, author.id),
  })
  return map(found, ({ earlier, named, ...facts }) => ({ facts: { ...facts, ...named, author }, earlier }))
}

/** Known accounts that a draft mentions, and those among them that its author blocks. */
function mentionFacts(
  ctx: Ctx,
  author: AccountId,
  { parsed }: ParsedDraft,
): Query<Pick<DraftFacts, 'mentioned' | 'blocked'>> {
  const handles = parsed.mentions.map((mention) => ownSpelledOut(mention, ctx.config.ownDomains))
  return combineQueries({
    mentioned: handles.length === 0 ? constant([]) : accountsByHandles(ctx, handles),
    blocked: handles.length === 0 ? constant([]) : blockedAmong(ctx, author, handles),
  })
}

/** Accounts among the handles that `owner` blocks, by account or by domain. */
function blockedAmong(ctx: Ctx, owner: AccountId, handles: readonly Handle[]): Query<AccountId[]> {
  const asked = handles.map(({ username, domain }) => ({
    username: username.toLowerCase(),
    domain: domain ?? '',
  }))
  const found = rows(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id') })
      .from(sql`${jsonRows(asked)} cross join accounts a`)
      .where(sql`lower(a.username) = item.value ->> 'username'
        and coalesce(a.domain, '') = item.value ->> 'domain'
        and (${blockSql.blocks(owner, sql`a.id`)} or ${blockSql.blocksDomain(owner, sql`a.domain`)})`),
  )
  return map(found, (all) => all.map(({ id }) => id))
}

export function postSubscribersOf(ctx: Ctx, author: AccountId): Query<PostSubscriber[]> {
  return rows(selectSubscribers(ctx.db, { author }))
}

const selectSubscribers = prepared(['author'], (db, { author }) =>
  db
    .select({ id: follows.accountId, languages: follows.languages })
    .from(follows)
    // Verbatim condition of the partial index of post subscribers.
    .where(and(eq(follows.targetAccountId, author), sql`${follows.notify} = 1`)),
)
