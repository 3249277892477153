import fieldfare, {
  Connection as RealConnection,
  Courier as RealCourier,
  Throttle as RealThrottle,
  Topic as RealTopic,
  Uploads as RealUploads,
  Vault as RealVault,
} from '../../../src/index'
import { type Costs, countingDb } from '../../support/costs'
import { UnderWay } from '../under-way'

// biome-ignore lint/performance/noBarrelFile: the runtime finds the classes of Durable Objects by the exports of the entry
export { Installation, JobQueue } from '../../../src/index'

/** Counters of all that has a quota or a price, except requests that leave. */
const counts = {
  requests: 0,
  objectCalls: 0,
  objectMilliseconds: 0,
  objectRowsRead: 0,
  objectRowsWritten: 0,
  queueWritten: 0,
  queueRead: 0,
  classA: 0,
  classB: 0,
  transformations: 0,
}

const underWay = new UnderWay()
/** Sockets that are open. */
let sockets = 0

const databases: { read(): Costs }[] = []
/** Rows written so far, by the text of the statement. */
const writes = new Map<string, number>()
const cursors = new Set<SqlStorageCursor<Record<string, SqlStorageValue>>>()

type Operation = (...values: never[]) => unknown

/** `target` with operations that are noted when they are called. */
function noting<T extends object>(target: T, note: (name: string, call: () => unknown) => unknown): T {
  return new Proxy(target, {
    get(real, key) {
      const found: unknown = Reflect.get(real, key)
      if (typeof found !== 'function') return found
      // biome-ignore lint/suspicious/noExplicitAny: operations of any binding
      return (...values: any[]) => note(String(key), () => Reflect.apply(found as Operation, real, values))
    },
  })
}

async function timed(call: () => unknown): Promise<unknown> {
  const began = performance.now()
  try {
    return await call()
  } finally {
    counts.objectMilliseconds += performance.now() - began
  }
}

function countedObjects<T extends object>(namespace: T): T {
  return noting(namespace, (name, call) => {
    const made = call()
    if (name !== 'get' && name !== 'getByName') return made
    return noting(made as object, (_method, ask) => {
      counts.objectCalls += 1
      return timed(ask)
    })
  })
}

const classes: Readonly<Record<string, 'classA' | 'classB'>> = {
  put: 'classA',
  list: 'classA',
  createMultipartUpload: 'classA',
  get: 'classB',
  head: 'classB',
}

/** Open: a day of work takes the bench a minute, which the flood gate would end. Its counters have no quota and no price. */
const gate: RateLimit = { limit: async () => ({ success: true }) }

const known = new WeakMap<Env, Env>()

/** The bindings, counted. One object for each isolate: the app caches by it. */
function counted(env: Env): Env {
  const before = known.get(env)
  if (before !== undefined) return before
  const { db, read } = countingDb(env.DB, (statements) => {
    for (const { text, rowsWritten } of statements)
      if (rowsWritten > 0) writes.set(text, (writes.get(text) ?? 0) + rowsWritten)
  })
  databases.push({ read })
  const made: Env = {
    ...env,
    FLOOD: gate,
    FLOOD_NETWORK: gate,
    DB: db,
    VAULT: countedObjects(env.VAULT),
    THROTTLE: countedObjects(env.THROTTLE),
    COURIER: countedObjects(env.COURIER),
    CONNECTION: countedObjects(env.CONNECTION),
    TOPIC: countedObjects(env.TOPIC),
    UPLOADS: countedObjects(env.UPLOADS),
    JOBS: new Proxy(env.JOBS, {
      get(real, key) {
        if (key === 'send')
          // Without the delays, for which a bench would wait.
          return (message: unknown) => {
            counts.queueWritten += 1
            return real.send(message)
          }
        if (key === 'sendBatch')
          return (messages: Iterable<MessageSendRequest>) => {
            const all = [...messages].map(({ body }) => ({ body }))
            counts.queueWritten += all.length
            return real.sendBatch(all)
          }
        return Reflect.get(real, key)
      },
    }),
    MEDIA: noting(env.MEDIA, (name, call) => {
      const kind = classes[name]
      if (kind !== undefined) counts[kind] += 1
      return call()
    }),
    IMAGES: noting(env.IMAGES, (name, call) => {
      if (name === 'input') counts.transformations += 1
      return call()
    }),
  }
  known.set(env, made)
  return made
}

/** Counts rows of the storage of an object, and its late work. */
function watched(state: DurableObjectState): DurableObjectState {
  const { sql } = state.storage
  const exec = sql.exec.bind(sql)
  Object.defineProperty(sql, 'exec', {
    value: (...values: Parameters<typeof exec>) => {
      const cursor = exec(...values)
      cursors.add(cursor)
      return cursor
    },
  })
  return underWay.watchObject(state)
}

export class Vault extends RealVault {
  constructor(state: DurableObjectState, env: Env) {
    super(watched(state), counted(env))
  }
}

export class Throttle extends RealThrottle {
  constructor(state: DurableObjectState, env: Env) {
    super(watched(state), counted(env))
  }

  override alarm() {
    return alarmed(this.ctx, () => super.alarm())
  }
}

export class Courier extends RealCourier {
  constructor(state: DurableObjectState, env: Env) {
    super(watched(state), counted(env))
  }

  override alarm() {
    return alarmed(this.ctx, () => super.alarm())
  }
}

export class Connection extends RealConnection {
  constructor(state: DurableObjectState, env: Env) {
    super(watched(state), counted(env))
  }

  override async fetch(request: Request) {
    const response = await super.fetch(request)
    if (response.webSocket !== null) sockets += 1
    return response
  }

  override webSocketMessage(ws: WebSocket, data: string | ArrayBuffer) {
    return underWay.during(() => super.webSocketMessage(ws, data))
  }

  override webSocketClose(ws: WebSocket) {
    sockets -= 1
    return underWay.during(() => super.webSocketClose(ws))
  }
}

export class Topic extends RealTopic {
  constructor(state: DurableObjectState, env: Env) {
    super(watched(state), counted(env))
  }
}

export class Uploads extends RealUploads {
  constructor(state: DurableObjectState, env: Env) {
    super(watched(state), counted(env))
  }
}

async function alarmed(state: DurableObjectState, run: () => Promise<void>): Promise<void> {
  counts.objectCalls += 1
  await underWay.duringAlarm(state, () => timed(run))
}

function read() {
  for (const cursor of cursors) {
    counts.objectRowsRead += cursor.rowsRead
    counts.objectRowsWritten += cursor.rowsWritten
  }
  cursors.clear()
  const costs = databases.map((one) => one.read())
  const isIdle = underWay.isIdle && counts.queueRead >= counts.queueWritten
  const sum = (pick: (one: Costs) => number) => costs.reduce((total, one) => total + pick(one), 0)
  const found = {
    ...counts,
    trips: sum(({ trips }) => trips),
    statements: sum(({ statements }) => statements),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsWritten: sum(({ rowsWritten }) => rowsWritten),
  }
  return { isIdle, sockets, counts: found }
}

/** Fieldfare itself, which tells at `/bench/counts` and `/bench/writes` what it did so far, and whether it is idle. */
export default {
  fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, lifetime: ExecutionContext) {
    const { pathname } = new URL(request.url)
    if (pathname === '/bench/counts') return Response.json(read())
    if (pathname === '/bench/writes') return Response.json(Object.fromEntries(writes))
    counts.requests += 1
    return underWay.during(() => fieldfare.fetch(request, counted(env), underWay.watch(lifetime)))
  },
  queue(batch: MessageBatch, env: Env, lifetime: ExecutionContext) {
    counts.requests += 1
    counts.queueRead += batch.messages.length
    return underWay.during(() => fieldfare.queue(batch, counted(env), underWay.watch(lifetime)))
  },
  scheduled(tick: ScheduledController, env: Env, lifetime: ExecutionContext) {
    counts.requests += 1
    return underWay.during(() => fieldfare.scheduled(tick, counted(env), underWay.watch(lifetime)))
  },
}
