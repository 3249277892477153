import type { Job } from '../messages/jobs'
import type { OutboxMessage } from '../messages/stored'

/** Runs the effects of durable events after commit. */
export interface Outbox {
  /** Runs the effects of committed events after the response and deletes them; a failure is left to the sweep. */
  drain(entries: readonly OutboxEntry[]): void
}

export interface OutboxEntry {
  readonly id: number
  readonly event: OutboxMessage
}

/** Queue of jobs. */
export interface Jobs {
  send(job: Job, options?: { readonly delaySeconds: number }): Promise<void>
}

/** Periodic task with more to do than fits into a tick. */
export interface QueuedTask {
  readonly task: string
  /** Parts of it that may follow each other in the queue. */
  readonly partsLeft: number
}

/** Periodic tasks. */
export interface Tasks {
  /** Runs the next part of a task. False where no task has this name. */
  continue(task: QueuedTask): Promise<boolean>
}

/** Dead-letter queue: keeps messages that cannot be run, as received, for the operator to inspect. */
export interface DeadLetters {
  send(message: unknown): Promise<void>
}
