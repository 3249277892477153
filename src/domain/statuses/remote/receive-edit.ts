import { and, eq, lt, sql } from 'drizzle-orm'
import { both, execute, inList, map, rows } from '../../../db/query'
import { polls, quotes, statuses, tombstones } from '../../../db/schema'
import type { Attachment } from '../../../db/values'
import { Conflict, NotFound } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../../core/changes'
import { tombstoneUnknown } from '../../core/received-activities'
import type { StatusRow } from '../../policy/visibility'
import type { PollRow } from '../../polls/find'
import { applyEdit, hasChanged, isSamePoll, type StatusVersion } from '../apply-edit'
import { isRemovedInPartsAt } from '../find-affected-servers'
import type { QuoteRow } from '../quotes/find-quotes'
import { isVerifiable, planRemoteQuote } from '../quotes/plan-quote'
import { hasNoQuote, markQuotedDeleted, storeQuote } from '../quotes/quote-state'
import { removeStatus } from '../remove'
import { type EditFacts, editFacts, statusOfActor } from './find-remote'
import { applyDomainLimit, attachmentsOf, planRemotePoll, recipientsOf, uniqueTags } from './import'
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

/**
 * Deletes a status or reblog at the request of its remote author. `uri` has to be on the author's server. Unknown
 * URIs get a tombstone within a limit, since the status may still be in delivery. Statuses of other actors are
 * not touched.
 */
export async function receiveDelete(
  ctx: Ctx,
  actor: { readonly id: AccountId; readonly username: string },
  uri: string,
): Promise<Outcome> {
  const [found, inParts] = await execute(
    ctx.db,
    both(statusOfActor(ctx, actor.id, uri), isRemovedInPartsAt(ctx, uri)),
  )
  if (found === 'of another') return rejected('deletes a status of another actor')
  const changes = new Changes()
  if (found !== null) removeStatus(ctx, changes, { author: actor, status: found, inParts })
  else if (!tombstoneUnknown(ctx, changes, uri)) return ignored('too many deletions of unknown statuses')
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof NotFound) return ignored('already deleted concurrently')
    throw failure
  }
}

const retentionDays = 30
const batchSize = 500

/**
 * Cron: deletes a batch of tombstones that only suppressed late copies. Earlier releases left one for each
 * remotely deleted status; tombstones served to readers stay.
 */
export async function pruneTombstones(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - retentionDays * dayMilliseconds)
  const old = ctx.db
    .select({ uri: tombstones.uri })
    .from(tombstones)
    .where(and(eq(tombstones.published, false), lt(tombstones.deletedAt, before)))
    .limit(batchSize)
  const uris = await execute(
    ctx.db,
    map(rows(old), (found) => found.map(({ uri }) => uri)),
  )
  if (uris.length > 0)
    await commit(ctx, new Changes().add(ctx.db.delete(tombstones).where(inList(tombstones.uri, uris))))
}
