import { type Outcome, rejected, retry } from '../domain/core/changes'
import { storeLetters } from '../domain/health/dead-letters'
import type { Job, JobKind } from '../messages/jobs'
import { QueuedJob } from '../messages/stored'
import type { Ctx } from '../ports/ctx'
import { MailRefused } from '../ports/mail'

/** Runs a job. Injected by the wiring, so that jobs import no edge. */
export type RunJob = (ctx: Ctx, job: Job) => Promise<Outcome>

/** Parts of a queue message that the consumer uses. */
export interface QueuedMessage {
  readonly body: unknown
  ack(): void
  retry(options?: { readonly delaySeconds?: number }): void
}

/** Outgoing requests in one run of the consumer. */
const requestsPerRun = 40

/** Upper bound of outgoing requests per kind of job. */
const requestsOf: Readonly<Record<JobKind, number>> = {
  'accept-follow-requests': 0,
  'answer-feature-request': 8,
  'answer-quote-request': 0,
  'apply-blocklist': 0,
  'backfill-account': 32,
  'build-archive': 0,
  'continue-account-deletion': 0,
  'continue-announcement-removal': 0,
  'continue-delivery': 0,
  'continue-domain-block': 0,
  'continue-long-task': 0,
  'continue-notifications': 0,
  'continue-suspension': 0,
  'continue-strike': 0,
  'count-tag-uses': 0,
  // Four pictures, each with its redirects.
  'copy-evidence': 16,
  'decide-blocklist': 0,
  'delete-domain-media': 0,
  'delete-files': 0,
  'deliver-part': 0,
  'deliver-webhook': 1,
  'end-follows-of-suspended': 0,
  'federate-removal': 0,
  'fetch-ancestors': 10,
  // The list, with its redirects.
  'fetch-blocklist': 4,
  // Page, oEmbed document and picture, each with its redirects, and an unknown author.
  'fetch-link-preview': 18,
  'fetch-pinned-status': 0,
  'fetch-reblogged-status': 12,
  'fetch-relayed-status': 12,
  'fetch-replies': 30,
  'generate-annual-report': 0,
  'import-blocklist': 0,
  'import-emojis': 0,
  'mail-terms': 0,
  'mail-terms-to': 0,
  'move-followers': 0,
  'notify-of-edit': 0,
  'notify-scheduled-failure': 0,
  'notify-voters': 0,
  'purge-account-statuses': 0,
  'rebuild-cached-list': 0,
  // The object, the Delete that names it, and the author and thread of what is new.
  'refetch-object': 26,
  'refresh-emoji': 0,
  'remove-archive-import': 0,
  'restore-follows': 0,
  'retire-files': 0,
  'retry-push': 1,
  'run-effects': 0,
  'run-import': 32,
  'run-task': 0,
  'send-account-email': 0,
  'send-alert': 1,
  'send-appeal-email': 0,
  'send-archive-email': 0,
  'send-notification-emails': 0,
  'send-push': 6,
  'send-webhook-email': 0,
  'send-unsent-mail': 0,
  'settle-files': 0,
  'settle-uploads': 0,
  'sync-followers': 0,
  // Four pages, each with its redirects.
  'verify-links': 16,
  'verify-quote': 0,
}

/**
 * Parses and runs each message. Done, ignored and rejected jobs are acknowledged, others are retried. A message that
 * is no known job goes to the dead-letter queue.
 */
export async function consume(ctx: Ctx, messages: readonly QueuedMessage[], run: RunJob): Promise<void> {
  const before = ctx.http.sent()
  for (const message of messages) {
    const job = QueuedJob.safeParse(message.body)
    if (!job.success) {
      await moveToDeadLetters(ctx, message, job.error.message)
      continue
    }
    const requests = requestsOf[job.data.kind]
    if (requests > requestsPerRun - (ctx.http.sent() - before)) {
      // Queued again: waiting for capacity must not count as a failed attempt.
      await ctx.jobs.send(job.data)
      message.ack()
      continue
    }
    settle(ctx, message, job.data, await attempt(ctx, job.data, run))
  }
}

/** Fields of the message may hold addresses, so the log names its kind alone. */
async function moveToDeadLetters(ctx: Ctx, message: QueuedMessage, reason: string): Promise<void> {
  ctx.log.error('An unknown job was moved to the dead-letter queue', { kind: kindOf(message.body), reason })
  await ctx.deadLetters.send(message.body)
  message.ack()
}

/** Kind of a queue message; null for a body of another form. */
export function kindOf(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'kind' in body ? String(body.kind) : null
}

async function attempt(ctx: Ctx, job: Job, run: RunJob): Promise<Outcome> {
  try {
    return await run(ctx, job)
  } catch (cause) {
    ctx.log.error('A job failed', { kind: job.kind, cause })
    return cause instanceof MailRefused ? rejected('the mail was refused') : retry(60)
  }
}

function settle(ctx: Ctx, message: QueuedMessage, job: Job, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'done':
      message.ack()
      break
    case 'ignored':
    case 'rejected':
      ctx.log.info(`A job was ${outcome.kind}`, { kind: job.kind, reason: outcome.reason })
      message.ack()
      break
    case 'retry':
      // Read again.
      ctx.usage.add('queueOperations', 1)
      message.retry({ delaySeconds: outcome.afterSeconds })
  }
}

/** Parts of a message of the dead-letter queue that are used. */
export interface DeadMessage {
  readonly id: string
  readonly body: unknown
}

/** Queues of dead letters by their names: a deployment names its queues after its Worker. */
export function isDeadLetterQueue(name: string): boolean {
  return name.endsWith('-dead')
}

/**
 * Stores the messages of the dead-letter queue, where operators list, retry and drop them. A database that does not
 * answer makes the batch fail, so the queue delivers it again.
 */
export async function receiveDeadLetters(ctx: Ctx, messages: readonly DeadMessage[]): Promise<void> {
  const letters = messages.map(({ id, body }) => ({ messageId: id, kind: kindOf(body), message: body }))
  ctx.log.error('Messages that nobody could run arrived', {
    count: letters.length,
    kinds: [...new Set(letters.map(({ kind }) => kind))],
  })
  await storeLetters(ctx, letters)
}
