import { eq, sql } from 'drizzle-orm'
import { execute } from '../../../db/query'
import { polls, quotes, statuses } from '../../../db/schema'
import type { Attachment } from '../../../db/values'
import { Conflict } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { done, ignored, type Outcome, rejected } from '../../core/outcome'
import type { StatusRow } from '../../policy/visibility'
import type { PollRow } from '../../polls/find'
import { applyEdit, hasChanged, isSamePoll, type StatusVersion } from '../apply-edit'
import type { QuoteRow } from '../quotes/find-quotes'
import { isVerifiable, planRemoteQuote } from '../quotes/plan-quote'
import { hasNoQuote, markQuotedDeleted } from '../quotes/quote-state'
import { storeQuote } from '../quotes/store-quote'
import { type EditFacts, editFacts } from './find-remote'
import { applyDomainLimit, attachmentsOf, planRemotePoll, recipientsOf, uniqueTags } from './plan-remote'
import type { RemotePoll, RemoteStatus } from './remote-status'

/**
 * Stores the edit of a known remote status: one round trip to load, one to commit.
 *
 * Versions older than the stored one are ignored. New counts of its poll, favourites and reblogs are stored and
 * are no edit. Quote data counts in any version: Hollo publishes a quote only once its author agreed, and dates
 * it as before.
 */
export async function receiveEdit(
  ctx: Ctx,
  author: { readonly id: AccountId },
  newer: RemoteStatus,
): Promise<Outcome> {
  const facts = await execute(ctx.db, editFacts(ctx, author.id, newer))
  const status = applyDomainLimit(newer, facts.limit)
  const { held, poll } = facts
  if (held === null) return ignored('edits an unknown status')
  if (held === 'of another') return rejected('edits a status of another actor')
  const next = versionOf(ctx, status, { held, facts })
  const changes = new Changes()
  const quoteChanged = updateQuote(ctx, changes, { held, facts, status })
  const countsChanged = updateCounts(ctx, changes, held, status)
  const at = newerThan(held, status)
  if (at !== null && hasChanged({ status: held, poll, next }))
    applyEdit(ctx, changes, {
      status: held,
      poll,
      next,
      at,
      audience: facts.audience,
    })
  else if (poll !== null && status.poll !== null && isSamePoll(poll, status.poll))
    changes.add(updateTallies(ctx, poll, status.poll))
  else if (!quoteChanged && !countsChanged) return ignored('not newer than the stored version')
  await commit(ctx, changes)
  return done
}

interface Requoting {
  readonly held: StatusRow
  readonly facts: Pick<EditFacts, 'quote' | 'quoted'>
  readonly status: RemoteStatus
}

/** Stores quote data of the version: a new quote or its consent. False if nothing is new. */
function updateQuote(ctx: Ctx, changes: Changes, { held, facts, status }: Requoting): boolean {
  if (facts.quote !== null) {
    if (status.quote?.gone !== true) return updateQuoteConsent(ctx, changes, facts.quote, status)
    if (facts.quote.state !== 'accepted' || facts.quote.quotedStatusId === null) return false
    markQuotedDeleted(ctx, changes, facts.quote)
    return true
  }
  const quote = planRemoteQuote(status.quote, facts.quoted)
  if (quote === null) return false
  changes.require(hasNoQuote(held.id), new Conflict('quoted_meanwhile'))
  storeQuote(ctx, changes, { status: held, quote })
  changes.publish({ kind: 'status.edited', statusId: held.id })
  if (isVerifiable(quote, status.uri)) changes.enqueue({ kind: 'verify-quote', statusId: held.id })
  return true
}

/** Stores the authorization that a pending quote now names; a job verifies it. */
function updateQuoteConsent(ctx: Ctx, changes: Changes, held: QuoteRow, { quote }: RemoteStatus): boolean {
  const consent = quote?.authorization ?? null
  if (held.state !== 'pending' || consent === null || quote?.uri !== held.quotedUri) return false
  changes
    .add(
      ctx.db
        .update(quotes)
        .set({ authorizationUri: consent, legacy: false })
        .where(eq(quotes.statusId, held.statusId)),
    )
    .enqueue({ kind: 'verify-quote', statusId: held.statusId })
  return true
}

/** Stores favourite and reblog counts reported by its server. False if nothing is new. */
function updateCounts(ctx: Ctx, changes: Changes, held: StatusRow, status: RemoteStatus): boolean {
  const isOlder = (status.editedAt ?? status.publishedAt) < (held.editedAt ?? held.createdAt)
  const { favouritesCount, reblogsCount } = status
  const hasNewCounts =
    (favouritesCount ?? held.untrustedFavouritesCount) !== held.untrustedFavouritesCount ||
    (reblogsCount ?? held.untrustedReblogsCount) !== held.untrustedReblogsCount
  if (isOlder || !hasNewCounts) return false
  changes.add(
    ctx.db
      .update(statuses)
      .set({
        untrustedFavouritesCount: sql`coalesce(${favouritesCount}, untrusted_favourites_count)`,
        untrustedReblogsCount: sql`coalesce(${reblogsCount}, untrusted_reblogs_count)`,
      })
      .where(eq(statuses.id, held.id)),
  )
  return true
}

/** Edit time of the version if it is newer than the stored one. Pure. */
export function newerThan(
  held: Pick<StatusRow, 'createdAt' | 'editedAt'>,
  { editedAt }: Pick<RemoteStatus, 'editedAt'>,
): Date | null {
  return editedAt !== null && editedAt > (held.editedAt ?? held.createdAt) ? editedAt : null
}

interface Holding {
  readonly held: StatusRow
  readonly facts: Pick<EditFacts, 'mentioned' | 'collections'>
}

function versionOf(ctx: Ctx, status: RemoteStatus, { held, facts }: Holding): StatusVersion {
  const { content, spoilerText, sensitive, language, emojis } = status
  const { mentions, addressed } = recipientsOf(status, facts, ctx.config.origin)
  const { text, contentType } = held
  return {
    text,
    contentType,
    content,
    spoilerText,
    sensitive,
    language,
    emojis,
    mentions,
    addressed,
    tags: uniqueTags(status.tags),
    linkedCollections: facts.collections,
    attachments: keepMediaIds(
      attachmentsOf(
        status.attachments,
        status.attachments.map(() => ctx.ids.next()),
      ),
      held.attachments,
    ),
    poll: status.poll === null ? null : planRemotePoll(status.poll, ctx.clock.now()),
  }
}

/** Keeps the ids of unchanged files. */
function keepMediaIds(next: readonly Attachment[], old: readonly Attachment[]): readonly Attachment[] {
  const isSame = (one: Attachment, other: Attachment) =>
    JSON.stringify(one.file) === JSON.stringify(other.file)
  return next.map((attachment) => {
    const previous = old.find((other) => isSame(attachment, other))
    return previous === undefined ? attachment : { ...attachment, id: previous.id }
  })
}

/** Stores new tallies. Cron closes an ended poll and notifies its voters. */
function updateTallies(ctx: Ctx, { id }: PollRow, poll: RemotePoll) {
  const { tallies, votesCount, votersCount } = planRemotePoll(poll, ctx.clock.now())
  const expiresAt = poll.closedAt ?? poll.expiresAt
  return ctx.db.update(polls).set({ tallies, votesCount, votersCount, expiresAt }).where(eq(polls.id, id))
}
