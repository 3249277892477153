import type { ExecutionContext } from 'hono'
import { buildApp } from './app'
import { whenConfigured } from './cloudflare/config-cache'
import { CourierObject } from './cloudflare/durable-objects/courier'
import { UploadsObject } from './cloudflare/durable-objects/uploads'
import { isInstalled, prepareConfiguration, prepareObject } from './cloudflare/installation'
import { runDueTasks } from './cron/schedule'
import { consume, isDeadLetterQueue, receiveDeadLetters } from './jobs/consumer'
import { JobQueueObject } from './jobs/job-queue-object'
import { runJob } from './jobs/run-job'
import { refusedBodies } from './lib/body'
import { buildSetUpApp } from './set-up'
import { ConnectionObject } from './streaming/connection'
import { TopicObject } from './streaming/topic'
import { tasks } from './tasks'
import { type Overrides, streamObjects, wire } from './wire'

/** Object per remote server. */
export class Courier extends CourierObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    prepareObject(state, env)
  }

  protected begin() {
    return wire(this.env, this.ctx)
  }
}

/** Object per connected user. */
export class Connection extends ConnectionObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    prepareObject(state, env)
  }

  protected begin() {
    return wire(this.env, this.ctx)
  }

  protected objects() {
    return streamObjects(this.env)
  }
}

/** Object per kind of job, for accounts without queues. */
export class JobQueue extends JobQueueObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    prepareObject(state, env)
  }

  protected readonly runJob = runJob

  protected begin() {
    return wire(this.env, this.ctx)
  }
}

/** Object per shared stream. */
export class Topic extends TopicObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    prepareObject(state, env)
  }

  protected begin() {
    return wire(this.env, this.ctx)
  }

  protected objects() {
    return streamObjects(this.env)
  }
}

/** Object per account that uploads. */
export class Uploads extends UploadsObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    prepareObject(state, env)
  }

  readonly #env = this.#with({ uploads: null })
  readonly #busyEnv = this.#with({ uploads: null, bodies: refusedBodies })

  protected answer(request: Request, lifetime: ExecutionContext) {
    return app.fetch(request, this.#env, lifetime)
  }

  protected refuse(request: Request, lifetime: ExecutionContext) {
    return app.fetch(request, this.#busyEnv, lifetime)
  }

  #with(overrides: Overrides): Env {
    const env = { ...this.env }
    overridesIn.set(env, overrides)
    return env
  }
}

export { Installation } from './cloudflare/durable-objects/installation'
export { Throttle } from './cloudflare/durable-objects/throttle'
export { Vault } from './cloudflare/durable-objects/vault'

/** Ports that differ inside of an object, by its environment. */
const overridesIn = new WeakMap<Env, Overrides>()

const app = buildApp((env, lifetime) => wire(env, lifetime, overridesIn.get(env)))

const setUpApp = buildSetUpApp(wire)

export default {
  fetch: async (request, env, lifetime) => {
    await prepareConfiguration(env)
    return (isInstalled(env) ? app : setUpApp).fetch(request, env, lifetime)
  },
  async queue(batch, env, lifetime) {
    await prepareConfiguration(env)
    await whenConfigured(
      async () =>
        isDeadLetterQueue(batch.queue)
          ? receiveDeadLetters(wire(env, lifetime), batch.messages)
          : consume(wire(env, lifetime), batch.messages, runJob),
      () => batch.retryAll({ delaySeconds: 60 }),
    )
  },
  async scheduled(tick, env, lifetime) {
    await prepareConfiguration(env)
    await whenConfigured(async () => runDueTasks(wire(env, lifetime), tasks, new Date(tick.scheduledTime)))
  },
} satisfies ExportedHandler<Env>
