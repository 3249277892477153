import fieldfare, { Connection as RealConnection, Topic as RealTopic } from '../../../src/index'
import type { AddressedOrders, Orders, StreamMessage } from '../../../src/streaming/messages'
import { type Costs, countingDb } from '../../support/costs'
import { UnderWay } from '../under-way'

// biome-ignore lint/performance/noBarrelFile: the runtime looks for the classes of the objects here
export { Courier, Installation, JobQueue, Throttle, Uploads, Vault } from '../../../src/index'

/** Counters of this process. All objects run in it, however often they hibernate. */
const happened = { woken: 0, deliveries: 0, messages: 0, spreads: 0, branches: 0, largestBranch: 0 }

const underWay = new UnderWay()
const inObjects: { read(): Costs }[] = []

/** Counted where they arrive, so that nobody's calls are missed. */
export class Connection extends RealConnection {
  constructor(state: DurableObjectState, env: Env) {
    const { db, read } = countingDb(env.DB)
    super(underWay.watchObject(state), { ...env, DB: db })
    inObjects.push({ read })
    happened.woken += 1
  }

  override handle(orders: Orders) {
    happened.deliveries += 1
    happened.messages += orders.messages.length
    return underWay.during(() => super.handle(orders))
  }

  override webSocketMessage(ws: WebSocket, data: string | ArrayBuffer) {
    return underWay.during(() => super.webSocketMessage(ws, data))
  }

  override webSocketClose(ws: WebSocket) {
    return underWay.during(() => super.webSocketClose(ws))
  }
}

export class Topic extends RealTopic {
  override spread(messages: readonly StreamMessage[]) {
    happened.spreads += 1
    return underWay.during(() => super.spread(messages))
  }

  override distribute(orders: readonly AddressedOrders[]) {
    happened.branches += 1
    happened.largestBranch = Math.max(happened.largestBranch, orders.length)
    return underWay.during(() => super.distribute(orders))
  }
}

let edge: { readonly env: Env; read(): Costs } | null = null

function counted(env: Env) {
  if (edge !== null) return edge
  const { db, read } = countingDb(env.DB)
  edge = { env: { ...env, DB: db }, read }
  return edge
}

/** Fieldfare itself, which tells at `/counts` what it did so far, and whether it is idle. */
export default {
  ...fieldfare,
  fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, lifetime: ExecutionContext) {
    const { env: watched, read } = counted(env)
    if (new URL(request.url).pathname !== '/counts')
      return underWay.during(() => fieldfare.fetch(request, watched, underWay.watch(lifetime)))
    const tripsOfObjects = inObjects.reduce((sum, one) => sum + one.read().trips, 0)
    const counts = { ...happened, trips: read().trips, tripsOfObjects }
    return Response.json({ isIdle: underWay.isIdle, counts })
  },
}
