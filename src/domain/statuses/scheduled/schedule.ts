import { eq, sql } from 'drizzle-orm'
import { scheduledPostsUrl } from '../../../contract/addresses'
import { scheduleLimits } from '../../../contract/limits'
import { combineQueries, execute, inList } from '../../../db/query'
import { mediaAttachments, scheduledStatuses } from '../../../db/schema'
import type { ScheduledParams } from '../../../db/schema/schedules'
import { AppError, Conflict, Invalid, NotFound } from '../../../errors'
import { momentWords } from '../../../lib/date-words'
import type { AccountId, MediaId, ScheduledId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { translateFor } from '../../core/translate'
import type { Viewer } from '../../core/viewer'
import { restoreClaimed } from '../../media/delete-files'
import { areFree } from '../../media/find'
import { mayPost, type Person, peopleById } from '../../sessions/find'
import { preferencesOf } from '../../users/defaults'
import { findMemberById } from '../../users/find'
import { createScheduled, prepareStatus } from '../create'
import { parsePoll, type StatusDraft } from '../draft'
import { type CreatedPost, createdWithKey } from '../find-by-idempotency-key'
import { missingMedia } from '../plan'
import {
  countScheduled,
  dueScheduled,
  isStillScheduled,
  NoLongerScheduled,
  ownsScheduled,
  type ScheduledRow,
  scheduledById,
} from './find-scheduled'

/**
 * Schedules a draft of `author` for `at`, validated by all rules for publishing: one round trip to load, one to
 * commit. Its uploads are held for it.
 *
 * With an idempotency key, returns what the key created within the last hour. `Invalid` for a time less than five
 * minutes ahead and above the daily or total limit; otherwise as `createStatus`.
 */
export async function scheduleStatus(
  ctx: Ctx,
  author: Viewer,
  { draft, key, at }: { readonly draft: StatusDraft; readonly key: string | null; readonly at: Date },
): Promise<CreatedPost> {
  refuseSoon(at, ctx.clock.now())
  const prepared = await prepareStatus(ctx, author, { draft, key })
  if (prepared.earlier !== null) return prepared.earlier
  const id: ScheduledId = ctx.ids.next()
  const { mediaIds } = prepared.plan
  const made = key === null ? null : createdWithKey(ctx, author.id, key)
  const taken = new Conflict('scheduled_already')
  const changes = new Changes()
  if (made !== null) changes.require(made.free, taken)
  const total = scheduleLimits.total
  changes.require(
    sql`${countScheduled(author.id, {})} < ${total}`,
    new Invalid('too_many_scheduled', { max: total }),
  )
  requireRoomThatDay(changes, author.id, { at })
  changes.add(
    ctx.db.insert(scheduledStatuses).values({
      id,
      accountId: author.id,
      applicationId: author.applicationId,
      params: paramsOf(draft, author),
      scheduledAt: at,
      dueAt: at,
      idempotencyKey: key,
      createdAt: ctx.clock.now(),
    }),
  )
  holdMedia(ctx, changes, { author: author.id, id, mediaIds, at })
  try {
    await commit(ctx, changes)
    return { kind: 'scheduled', id }
  } catch (failure) {
    const earlier = failure === taken && made !== null ? await execute(ctx.db, made.query) : null
    if (earlier === null) throw failure
    return earlier
  }
}

interface HeldMedia {
  readonly author: AccountId
  readonly id: ScheduledId
  readonly mediaIds: readonly MediaId[]
  readonly at: Date
}

/** Holds uploads for a scheduled status; those that it holds already stay. */
function holdMedia(ctx: Ctx, changes: Changes, { author, id, mediaIds, at }: HeldMedia): void {
  if (mediaIds.length === 0) return
  changes.require(areFree(author, mediaIds, id), missingMedia(mediaIds)).add(
    ctx.db
      .update(mediaAttachments)
      // Unattached from `at` at the earliest: the cleanup of unattached uploads can skip it until then.
      .set({ scheduledStatusId: id, createdAt: at })
      .where(inList(mediaAttachments.id, mediaIds)),
  )
  restoreClaimed(changes, mediaIds, id)
}

/**
 * Replaces a scheduled status of `author` by another draft and time, by all rules for publishing; a failed one becomes
 * pending again. Uploads that it no longer has are freed.
 *
 * `NotFound` if it does not exist or is not theirs; otherwise as `scheduleStatus`.
 */
export async function reviseScheduled(
  ctx: Ctx,
  author: Viewer,
  { id, draft, at }: { readonly id: ScheduledId; readonly draft: StatusDraft; readonly at: Date },
): Promise<void> {
  refuseSoon(at, ctx.clock.now())
  const prepared = await prepareStatus(ctx, author, { draft, key: null, heldBy: id })
  if (prepared.earlier !== null) throw new NotFound()
  const changes = new Changes().require(ownsScheduled(author.id, id), new NotFound())
  requireRoomThatDay(changes, author.id, { at, except: id })
  changes.add(
    ctx.db
      .update(mediaAttachments)
      .set({ scheduledStatusId: null, createdAt: ctx.clock.now() })
      .where(eq(mediaAttachments.scheduledStatusId, id)),
    ctx.db
      .update(scheduledStatuses)
      .set({
        params: paramsOf(draft, author),
        scheduledAt: at,
        dueAt: at,
        attempts: 0,
        failure: null,
      })
      .where(eq(scheduledStatuses.id, id)),
  )
  holdMedia(ctx, changes, { author: author.id, id, mediaIds: prepared.plan.mediaIds, at })
  await commit(ctx, changes)
}

/**
 * Reschedules a status of `viewer`; a failed one becomes pending again.
 *
 * `NotFound` if it does not exist or is not theirs, `Invalid` as for new ones.
 */
export async function rescheduleStatus(
  ctx: Ctx,
  viewer: { readonly id: AccountId },
  { id, at }: { readonly id: ScheduledId; readonly at: Date },
): Promise<void> {
  const changes = new Changes().require(ownsScheduled(viewer.id, id), new NotFound())
  // A status of another author is missing, whatever the time.
  if (isTooSoon(at, ctx.clock.now())) changes.require(sql`0`, tooSoon())
  requireRoomThatDay(changes, viewer.id, { at, except: id })
  changes.add(
    ctx.db
      .update(scheduledStatuses)
      .set({ scheduledAt: at, dueAt: at, attempts: 0, failure: null })
      .where(eq(scheduledStatuses.id, id)),
    ctx.db.update(mediaAttachments).set({ createdAt: at }).where(eq(mediaAttachments.scheduledStatusId, id)),
  )
  await commit(ctx, changes)
}

/** Cancels a scheduled status of `viewer` and frees its uploads. `NotFound` if it does not exist or is not theirs. */
export async function cancelScheduled(
  ctx: Ctx,
  viewer: { readonly id: AccountId },
  id: ScheduledId,
): Promise<void> {
  const changes = new Changes()
    .require(ownsScheduled(viewer.id, id), new NotFound())
    .add(
      ctx.db
        .update(mediaAttachments)
        .set({ scheduledStatusId: null, createdAt: ctx.clock.now() })
        .where(eq(mediaAttachments.scheduledStatusId, id)),
      ctx.db.delete(scheduledStatuses).where(eq(scheduledStatuses.id, id)),
    )
  await commit(ctx, changes)
}

function isTooSoon(at: Date, now: Date): boolean {
  return at.getTime() < now.getTime() + scheduleLimits.minSeconds * 1000
}

function tooSoon() {
  return new Invalid('not_in_future', { field: 'scheduled_at' })
}

function refuseSoon(at: Date, now: Date): void {
  if (isTooSoon(at, now)) throw tooSoon()
}

function requireRoomThatDay(
  changes: Changes,
  account: AccountId,
  { at, except }: { readonly at: Date; readonly except?: ScheduledId },
): void {
  const { perDay } = scheduleLimits
  const others = countScheduled(account, { day: at, ...(except === undefined ? {} : { except }) })
  changes.require(sql`${others} < ${perDay}`, new Invalid('too_many_scheduled_today', { max: perDay }))
}

/** Fixes the quote policy now, as the API returns it; other defaults apply when it is published. */
function paramsOf({ poll, ...draft }: StatusDraft, author: Viewer): ScheduledParams {
  const quotePolicy = draft.quotePolicy ?? preferencesOf(author).quotePolicy
  return { ...draft, quotePolicy, ...(poll === undefined ? {} : { poll: parsePoll(poll) }) }
}

const publishedAtOnce = 1
/** Intervals double: about four hours in total. */
const maxAttempts = 8

/** Condition: a scheduled status is due. Verbatim the index of pending rows. */
export const hasDueScheduled = ({ clock }: Ctx) =>
  sql`exists (select 1 from scheduled_statuses where failure is null and due_at <= ${clock.now().getTime()})`

/**
 * Cron: publishes the next due scheduled status. Repeated or interrupted runs neither duplicate nor lose one: a status
 * is created in the batch that deletes its scheduled row.
 *
 * A status that may no longer be published stays with the reason, and its author is notified
 * (`notify-scheduled-failure`). Other failures are retried.
 */
export async function publishScheduled(ctx: Ctx): Promise<void> {
  const due = await execute(ctx.db, dueScheduled(ctx, ctx.clock.now(), publishedAtOnce))
  if (due.length === 0) return
  const authors = [...new Set(due.map(({ accountId }) => accountId))]
  const people = await execute(ctx.db, peopleById(ctx, authors))
  await lease(ctx, due)
  for (const row of due) await publish(ctx, row, people.get(row.accountId))
}

/** Delays every row before publishing: a row that crashes the run must not come first in the next. */
async function lease(ctx: Ctx, due: readonly ScheduledRow[]): Promise<void> {
  const { id, attempts } = scheduledStatuses
  const ids = due.map((row) => row.id)
  const now = ctx.clock.now().getTime()
  const set = { attempts: sql`${attempts} + 1`, dueAt: sql`${now} + 60000 * (1 << min(${attempts}, 10))` }
  await commit(ctx, new Changes().add(ctx.db.update(scheduledStatuses).set(set).where(inList(id, ids))))
}

async function publish(ctx: Ctx, row: ScheduledRow, person: Person | undefined): Promise<void> {
  const applicationId = row.applicationId
  if (person === undefined || !mayPost(person))
    return recordFailure(ctx, row, 'This account may not post now')
  try {
    await createScheduled(ctx, { ...person.viewer, applicationId }, row)
  } catch (failure) {
    if (failure instanceof NoLongerScheduled) return
    const refusal = refusalOf(failure)
    if (refusal !== null) return recordFailure(ctx, row, refusal)
    ctx.log.error('Failed to publish a scheduled status', { id: row.id, cause: failure })
    if (row.attempts + 1 >= maxAttempts) return recordFailure(ctx, row, 'This server could not post it')
  }
}

/** Reason shown to the author if publishing is refused for good; null if it may succeed later. */
function refusalOf(failure: unknown): string | null {
  const isFinal = failure instanceof AppError && [403, 404, 422].includes(failure.status)
  return isFinal ? failure.message : null
}

async function recordFailure(ctx: Ctx, row: ScheduledRow, failure: string): Promise<void> {
  const { id: scheduledId, accountId } = row
  const changes = new Changes()
    .require(isStillScheduled(row), new NoLongerScheduled())
    .add(ctx.db.update(scheduledStatuses).set({ failure }).where(eq(scheduledStatuses.id, scheduledId)))
    .enqueue({ kind: 'notify-scheduled-failure', accountId, scheduledId })
  await commit(ctx, changes).catch((late: unknown) => {
    if (!(late instanceof NoLongerScheduled)) throw late
  })
}

/**
 * Emails the author that a scheduled status could not be published, and why: the job `notify-scheduled-failure`.
 *
 * Returns why no mail was sent, or null. Not idempotent: each run sends a mail. The mail does not contain the
 * status text.
 */
export async function notifyScheduledFailure(
  ctx: Ctx,
  { accountId, scheduledId }: { readonly accountId: AccountId; readonly scheduledId: ScheduledId },
): Promise<string | null> {
  if (ctx.mailer === null) return 'no mailer'
  const { member, row } = await execute(
    ctx.db,
    combineQueries({ member: findMemberById(ctx, accountId), row: scheduledById(ctx, scheduledId) }),
  )
  if (member === null) return 'no such user'
  if (row === null || row.failure === null) return 'no longer failed'
  const { domain, origin } = ctx.config
  const t = await translateFor(ctx, member.locale)
  await ctx.mailer.send({
    to: member.email,
    subject: t('mail.scheduled.scheduledPostNotPosted', { domain }),
    text: plainText(
      t('mail.helloUsername', { username: member.username }),
      t('mail.scheduled.postScheduledMomentNot', {
        moment: momentWords(t.language, row.scheduledAt),
      }),
      row.failure,
      t('mail.scheduled.keptGiveAnotherTime'),
      scheduledPostsUrl(origin),
    ),
  })
  return null
}
