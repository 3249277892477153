import { type Outcome, rejected, retry } from '../domain/core/outcome'
import { MailRefused } from '../lib/mail/mail'
import { DomainEvent, type EventKind } from '../messages/events'
import type { Ctx } from '../platform/ports'

/** Does the work a queue message asks for. Handed in by the wiring, so that jobs know no edge. */
export type RunJob = (ctx: Ctx, job: DomainEvent) => Promise<Outcome>

/** The parts of a queue message the consumer touches. */
export interface QueuedMessage {
  readonly body: unknown
  ack(): void
  retry(options?: { readonly delaySeconds?: number }): void
}

/** How many requests to other servers one run of the consumer may make, and how many each kind of job might. */
const requestsPerRun = 40
const requestsOf: Readonly<Partial<Record<EventKind, number>>> = {
  'backfill.wanted': 32,
  'feature.asked': 8,
  'hint.received': 22,
  // Page, oEmbed document and picture, each with its redirects, and an author nobody here knows.
  'link.seen': 18,
  'import.wanted': 32,
  'push.failed': 1,
  'push.wanted': 6,
  'reblog.wanted': 12,
  'replies.wanted': 30,
  'thread.wanted': 10,
}

/** Parses and runs each message; done, ignored and rejected are acknowledged, the rest comes back later. */
export async function consume(ctx: Ctx, messages: readonly QueuedMessage[], run: RunJob): Promise<void> {
  const before = ctx.http.sent()
  for (const message of messages) {
    const job = DomainEvent.safeParse(message.body)
    if (!job.success) {
      ctx.log.error('A queue message was not understood', { cause: job.error.message })
      message.ack()
      continue
    }
    const requests = requestsOf[job.data.kind] ?? 0
    if (requests > requestsPerRun - (ctx.http.sent() - before)) {
      // Queued anew, for waiting its turn is no failure that should count.
      await ctx.jobs.send(job.data)
      message.ack()
      continue
    }
    settle(ctx, message, job.data, await attempt(ctx, job.data, run))
  }
}

async function attempt(ctx: Ctx, job: DomainEvent, run: RunJob): Promise<Outcome> {
  try {
    return await run(ctx, job)
  } catch (cause) {
    ctx.log.error('A job failed', { kind: job.kind, cause })
    return cause instanceof MailRefused ? rejected('the mail was refused') : retry(60)
  }
}

function settle(ctx: Ctx, message: QueuedMessage, job: DomainEvent, outcome: Outcome): void {
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
      message.retry({ delaySeconds: outcome.afterSeconds })
  }
}
