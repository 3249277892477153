import { and, eq, sql } from 'drizzle-orm'
import { known, map, type Query, rows, together } from '../../db/query'
import { follows } from '../../db/schema'
import { each } from '../../db/sql'
import { type Handle, ownSpelledOut } from '../../lib/handle'
import type { AccountId, ScheduledId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { accountsByHandles } from '../accounts/find'
import { refById, type Viewer } from '../core/viewer'
import { emojisNamed } from '../custom-emojis/named'
import { looseMedia } from '../media/find'
import type { ReadDraft } from './draft'
import { originalOf, visibleOriginal } from './find'
import { type Made, madeWith } from './find-made'
import { standingTo } from './find-standing'
import type { DraftFacts, Listener } from './plan'
import { quoteTarget } from './quotes/find-quotes'

/** A draft, the idempotency key it came with, and the scheduled status that holds its uploads. */
export interface Asked {
  readonly draft: ReadDraft
  readonly key: string | null
  readonly heldBy?: ScheduledId | null | undefined
}

/** Everything a draft has to be held against, and what was made earlier with the same key: one trip. */
export function factsFor(
  ctx: Ctx,
  author: Viewer,
  { draft, key, heldBy }: Asked,
): Query<{ readonly facts: DraftFacts; readonly earlier: Made | null }> {
  const { inReplyToId, quotedId, mediaIds, shortcodes } = draft
  const found = together({
    earlier: key === null ? known(null) : madeWith(ctx, author.id, key).query,
    parent: inReplyToId === undefined ? known(null) : visibleOriginal(ctx, refById(author.id), inReplyToId),
    answering: inReplyToId === undefined ? known(null) : standingTo(ctx, author.id, originalOf(inReplyToId)),
    quoted: quotedId === undefined ? known(null) : quoteTarget(ctx, author.id, quotedId),
    media: mediaIds.length === 0 ? known([]) : looseMedia(ctx, author.id, { ids: mediaIds, heldBy }),
    named: mentionFacts(ctx, author.id, draft),
    emojis: shortcodes.length === 0 ? known([]) : emojisNamed(ctx, shortcodes),
    listeners: listenersOf(ctx, author.id),
  })
  return map(found, ({ earlier, named, ...facts }) => ({ facts: { ...facts, ...named, author }, earlier }))
}

/** Whom a draft names, as far as they are known, and which of them its author blocks. */
export function mentionFacts(
  ctx: Ctx,
  author: AccountId,
  { parsed }: ReadDraft,
): Query<Pick<DraftFacts, 'mentioned' | 'blocked'>> {
  const handles = parsed.mentions.map((mention) => ownSpelledOut(mention, ctx.config.ownDomains))
  return together({
    mentioned: handles.length === 0 ? known([]) : accountsByHandles(ctx, handles),
    blocked: handles.length === 0 ? known([]) : blockedAmong(ctx, author, handles),
  })
}

/** Those of the handles whose account `owner` blocks, or whose domain. */
function blockedAmong(ctx: Ctx, owner: AccountId, handles: readonly Handle[]): Query<AccountId[]> {
  const asked = handles.map(({ username, domain }) => ({
    username: username.toLowerCase(),
    domain: domain ?? '',
  }))
  const found = rows(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id') })
      .from(sql`${each(asked)} cross join accounts a`)
      .where(sql`lower(a.username) = item.value ->> 'username'
        and coalesce(a.domain, '') = item.value ->> 'domain'
        and (exists (select 1 from blocks where account_id = ${owner} and target_account_id = a.id)
          or exists (select 1 from account_domain_blocks where account_id = ${owner} and domain = a.domain))`),
  )
  return map(found, (all) => all.map(({ id }) => id))
}

export function listenersOf(ctx: Ctx, author: AccountId): Query<Listener[]> {
  return rows(
    ctx.db
      .select({ id: follows.accountId, languages: follows.languages })
      .from(follows)
      // Word for word as in the index of listeners.
      .where(and(eq(follows.targetAccountId, author), sql`${follows.notify} = 1`)),
  )
}
