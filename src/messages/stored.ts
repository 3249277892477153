import * as z from 'zod'
import { DomainEvent, FederatedEvent } from './events'
import { Job } from './jobs'

/** A message in the outbox: facts, whose effects follow, and commands, which go to the queue. */
export type OutboxMessage = DomainEvent | Job

/** Kinds that outboxes and queues of instances before version 0.2 may still hold, with their current names. */
const renamedKinds: Readonly<Record<string, Job['kind']>> = {
  'annual_report.wanted': 'generate-annual-report',
  'backfill.wanted': 'backfill-account',
  'delivery.wanted': 'continue-delivery',
  'emoji.changed': 'refresh-emoji',
  'feature.asked': 'answer-feature-request',
  'files.unused': 'delete-files',
  'followers.doubted': 'sync-followers',
  'hint.received': 'refetch-object',
  'import.wanted': 'run-import',
  'link.seen': 'fetch-link-preview',
  'mail.wanted': 'send-account-email',
  'notice.mail_wanted': 'send-notification-emails',
  'pin.wanted': 'fetch-pinned-status',
  'push.failed': 'retry-push',
  'push.wanted': 'send-push',
  'quote.asked': 'answer-quote-request',
  'quote.unproven': 'verify-quote',
  'reblog.wanted': 'fetch-reblogged-status',
  'replies.wanted': 'fetch-replies',
  'schedule.failed': 'notify-scheduled-failure',
  'suspension.wanted': 'continue-suspension',
  'thread.wanted': 'fetch-ancestors',
}

/** Facts that were formerly queued to continue their effects. In an outbox the same kinds are still facts. */
const queuedFacts: Readonly<Record<string, Job['kind']>> = {
  'account.left': 'purge-account-statuses',
  'account.moved': 'move-followers',
  'account.unlocked': 'accept-follow-requests',
  'domain.limited': 'delete-domain-media',
}

/** Jobs on rows that long tasks do now. A removal that was to be federated still is. */
const restatedJobs: Readonly<Record<string, (old: Readonly<Record<string, unknown>>) => unknown>> = {
  'continue-list-removal': ({ listId }) => ({
    kind: 'continue-long-task',
    task: 'remove-list',
    unit: listId,
  }),
  'continue-removal': ({ statusId, announcement }) =>
    announcement === undefined
      ? { kind: 'continue-long-task', task: 'remove-status', unit: statusId }
      : { kind: 'federate-removal', statusId, ...Announcement.safeParse(announcement).data },
}

const Announcement = z.object({ eventId: z.unknown(), event: z.unknown() })

/** Parses a message of the queue, also in its old form. */
export const QueuedJob = z.preprocess((body) => rename(body, { ...renamedKinds, ...queuedFacts }), Job)

/** Parses a message of the outbox, also in its old form. */
export const StoredMessage = z.preprocess((body) => rename(body, renamedKinds), z.union([DomainEvent, Job]))

const Named = z.looseObject({ kind: z.string() })

function rename(body: unknown, names: Readonly<Record<string, Job['kind']>>): unknown {
  const named = Named.safeParse(body)
  if (!named.success) return body
  const { kind } = named.data
  const restate = Object.hasOwn(restatedJobs, kind) ? restatedJobs[kind] : undefined
  if (restate !== undefined) return restate(named.data)
  return Object.hasOwn(names, kind) ? { ...named.data, kind: names[kind] } : body
}

const knownKinds: ReadonlySet<string> = new Set([
  ...Object.keys(renamedKinds),
  ...Object.keys(restatedJobs),
  ...FederatedEvent.options.map(({ shape }) => shape.kind.value),
  ...DomainEvent.options.flatMap((one) => ('shape' in one ? [one.shape.kind.value] : [])),
  ...Job.options.map(({ shape }) => shape.kind.value),
])

/** Whether messages of this kind can be run, if they have the form of today. */
export function isKnownKind(kind: string): boolean {
  return knownKinds.has(kind)
}

const jobKinds: ReadonlySet<string> = new Set(Job.options.map(({ shape }) => shape.kind.value))

/** Whether a message of the outbox is a command; else a fact. */
export function isJob(message: OutboxMessage): message is Job {
  return jobKinds.has(message.kind)
}
