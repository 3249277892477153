import type { Task } from './cron/schedule'
import { expireMutes } from './domain/relationships/mute'
import { forgetExpired } from './domain/sessions/expire'
import { sweepOutbox } from './jobs/outbox'

/** Everything that happens by the clock. */
export const tasks: readonly Task[] = [
  { name: 'expire-mutes', everyMinutes: 5, run: expireMutes },
  { name: 'forget-expired-sign-ins', everyMinutes: 60, run: forgetExpired },
  { name: 'sweep-outbox', everyMinutes: 1, run: sweepOutbox },
]
