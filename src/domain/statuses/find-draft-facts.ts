import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../../db/prepared'
import { combineQueries, constant, map, type Query, rows } from '../../db/query'
import { follows } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { type Handle, ownSpelledOut } from '../../lib/handle'
import type { AccountId, ScheduledId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { accountsByHandles } from '../accounts/find'
import { type Viewer, viewerById } from '../core/viewer'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import { unattachedMediaById } from '../media/find'
import { blockSql } from '../policy/block-predicates'
import type { ParsedDraft } from './draft'
import { originalOf, visibleOriginal } from './find'
import { authorRelationOf } from './find-author-relation'
import { type CreatedPost, createdWithKey } from './find-by-idempotency-key'
import type { DraftFacts, PostSubscriber } from './plan'
import { quoteTarget } from './quotes/find-quotes'

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
export function mentionFacts(
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
