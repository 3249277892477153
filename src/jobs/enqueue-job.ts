import { isGivenUp } from '../domain/instance/usage/give-up'
import type { NotificationId } from '../lib/ids'
import type { Job } from '../messages/jobs'
import type { Ctx } from '../ports/ctx'

/** Delay of notification emails: notifications that are withdrawn or read meanwhile need none. */
const mailDelaySeconds = 120
const mailsPerJob = 8
/** A queue message holds some six times as many ids. */
const pushesPerJob = 1_000

/**
 * Enqueues a committed command: delayed or split where its kind requires that, or run at once where it is cheap. Backfill
 * near the end of a daily quota is dropped.
 */
export async function enqueueJob(ctx: Ctx, job: Job): Promise<void> {
  if (isGivenUp(ctx, job.kind)) return
  switch (job.kind) {
    // A single call for a thousand files, dearer to queue than to make.
    case 'delete-files':
      return ctx.files.delete(job.keys)
    case 'fetch-link-preview':
    case 'mail-terms':
      return ctx.jobs.send(job, { delaySeconds: job.delaySeconds })
    case 'send-notification-emails':
      return enqueueInBatches(job.notificationIds, mailsPerJob, (notificationIds) =>
        ctx.jobs.send({ ...job, notificationIds }, { delaySeconds: mailDelaySeconds }),
      )
    case 'send-push':
      return enqueueInBatches(job.notificationIds, pushesPerJob, (notificationIds) =>
        ctx.jobs.send({ ...job, notificationIds }),
      )
    default:
      return ctx.jobs.send(job)
  }
}

async function enqueueInBatches(
  ids: readonly NotificationId[],
  size: number,
  queue: (part: NotificationId[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += size) await queue(ids.slice(at, at + size))
}
