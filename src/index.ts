import { buildApp } from './app'
import { runDueTasks } from './cron/schedule'
import { consume } from './jobs/consumer'
import { runJob } from './jobs/run'
import { CourierObject } from './objects/courier'
import { tasks } from './tasks'
import { wire } from './wiring'

/** One for each server this one speaks to. */
export class Courier extends CourierObject {
  protected begin() {
    return wire(this.env, this.ctx)
  }
}

export { Throttle } from './objects/throttle'
export { Vault } from './objects/vault'

const app = buildApp((env, lifetime) => wire(env, lifetime))

export default {
  fetch: (request, env, lifetime) => app.fetch(request, env, lifetime),
  queue: (batch, env, lifetime) => consume(wire(env, lifetime), batch.messages, runJob),
  scheduled: (tick, env, lifetime) => runDueTasks(wire(env, lifetime), tasks, new Date(tick.scheduledTime)),
} satisfies ExportedHandler<Env>
