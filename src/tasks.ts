import type { Task } from './cron/schedule'
import { sweepOutbox } from './jobs/outbox'

/** Everything that happens by the clock. */
export const tasks: readonly Task[] = [{ name: 'sweep-outbox', everyMinutes: 1, run: sweepOutbox }]
