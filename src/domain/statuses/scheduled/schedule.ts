import { eq, sql } from 'drizzle-orm'
import { scheduleLimits } from '../../../contract/limits'
import { execute, inList } from '../../../db/query'
import { mediaAttachments, scheduledStatuses } from '../../../db/schema'
import type { ScheduledParams } from '../../../db/schema/schedules'
import { Conflict, Invalid, NotFound } from '../../../errors'
import type { AccountId, ScheduledId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import type { Viewer } from '../../core/viewer'
import { restoreClaimed } from '../../media/delete-files'
import { areFree } from '../../media/find'
import { preferencesOf } from '../../users/defaults'
import { prepareStatus } from '../create'
import { parsePoll, type StatusDraft } from '../draft'
import { type CreatedPost, createdWithKey } from '../find-by-idempotency-key'
import { missingMedia } from '../plan'
import { countScheduled } from './find-scheduled'

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
  if (mediaIds.length > 0) {
    changes.require(areFree(author.id, mediaIds), missingMedia(mediaIds)).add(
      ctx.db
        .update(mediaAttachments)
        // Unattached from `at` at the earliest: the cleanup of unattached uploads can skip it until then.
        .set({ scheduledStatusId: id, createdAt: at })
        .where(inList(mediaAttachments.id, mediaIds)),
    )
    restoreClaimed(changes, mediaIds, id)
  }
  try {
    await commit(ctx, changes)
    return { kind: 'scheduled', id }
  } catch (failure) {
    const earlier = failure === taken && made !== null ? await execute(ctx.db, made.query) : null
    if (earlier === null) throw failure
    return earlier
  }
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
  const changes = new Changes().require(isOwn(viewer.id, id), new NotFound())
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
    .require(isOwn(viewer.id, id), new NotFound())
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

function isOwn(account: AccountId, id: ScheduledId) {
  return sql`exists (select 1 from scheduled_statuses where id = ${id} and account_id = ${account})`
}

/** Fixes the quote policy now, as the API returns it; other defaults apply when it is published. */
function paramsOf({ poll, ...draft }: StatusDraft, author: Viewer): ScheduledParams {
  const quotePolicy = draft.quotePolicy ?? preferencesOf(author).quotePolicy
  return { ...draft, quotePolicy, ...(poll === undefined ? {} : { poll: parsePoll(poll) }) }
}
