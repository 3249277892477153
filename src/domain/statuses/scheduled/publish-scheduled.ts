import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, inList } from '../../../db/query'
import { scheduledStatuses } from '../../../db/schema'
import { AppError } from '../../../errors'
import { scheduledPostsUrl } from '../../../lib/addresses'
import { momentWords } from '../../../lib/date-words'
import type { AccountId, ScheduledId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { translateFor } from '../../core/translate'
import { mayPost, type Person, peopleById } from '../../sessions/find'
import { findMemberById } from '../../users/find'
import { createScheduled } from '../create'
import {
  dueScheduled,
  isStillScheduled,
  NoLongerScheduled,
  type ScheduledRow,
  scheduledById,
} from './find-scheduled'

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
