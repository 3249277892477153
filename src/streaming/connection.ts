import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'
import { combineQueries, constant, execute } from '../db/query'
import { type Caller, callersBySessionId, callersByTokenId } from '../domain/sessions/find'
import { AppError, BadRequest } from '../errors'
import type { AccountId, TokenId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { isTopic, parseRequestedStream, type RequestedStream } from './channels'
import {
  authorizeSubscription,
  type ConnectionRequest,
  decodeConnectionRequest,
  nameOrTag,
} from './connection-request'
import { SerialQueue } from './fan-out'
import {
  type ConnectionCalls,
  type DeliveryOutcome,
  type Orders,
  type StreamClient,
  type StreamMessage,
  type StreamObjects,
  streamClientOf,
} from './messages'
import { Presence, type SubscribedChannels } from './presence'
import { RulesCache } from './rules-cache'
import {
  internalError,
  messageTooBig,
  normalClosure,
  policyViolation,
  Socket,
  type StreamConnection,
  unsupportedData,
} from './socket'

/** Incoming messages that the platform counts as one call. */
const messagesPerCall = 20
/** Subscribe frames have some fifty characters. */
const maxFrameLength = 4_096
/** Far above the number of devices and columns of a user. */
const maxConnections = 60

/** Frames that clients send; any other is ignored. */
const Frame = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  // Messages name streams by arrays, and some clients do the same in frames.
  stream: z.union([z.string(), z.tuple([z.string()], z.unknown()).transform(([name]) => name)]).catch(''),
  tag: z.string().nullable().catch(null),
  list: z
    .union([z.string(), z.number().transform(String)])
    .nullable()
    .catch(null),
})
type Frame = z.infer<typeof Frame>

/**
 * Holds all stream connections of one account, publishes its subscriptions, and sends events.
 *
 * Sockets hibernate with the object and wake it; an event source is the socket of the Worker that serves it. State
 * that has to outlive the object is attached to the sockets, so that hibernation loses nothing.
 */
export abstract class ConnectionObject extends DurableObject<Env> implements ConnectionCalls {
  readonly #sockets = new WeakMap<WebSocket, Socket>()
  readonly #deliveries = new SerialQueue()
  readonly #accountId: AccountId
  readonly #presence: Presence
  readonly #rules: RulesCache
  #isPresenceRepaired = false

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#accountId = Number(nameOrTag(state))
    this.#presence = new Presence(this.#accountId, this.objects(), this.#subscribedChannels())
    this.#rules = new RulesCache(() => this.begin(), state.storage.kv, this.#accountId)
  }

  /** Builds the ports for one call; wired by the exported class. */
  protected abstract begin(): Ctx
  protected abstract objects(): StreamObjects

  override async fetch(request: Request): Promise<Response> {
    const call = decodeConnectionRequest(request)
    const connections = this.#connections()
    // Rule changes are published to connected clients only.
    if (connections.length === 0) this.#rules.invalidate()
    // The oldest may belong to a client that vanished without closing.
    if (connections.length >= maxConnections)
      oldest(connections)?.end(policyViolation, 'Too many connections')
    return this.#open(call)
  }

  async handle(orders: Orders): Promise<DeliveryOutcome> {
    if (orders.haveRulesChanged) this.#rules.invalidate()
    for (const tokenIds of orders.endedSessions) await this.end(tokenIds)
    if (orders.needsRecheck) await this.recheck()
    return orders.messages.length === 0 ? 'delivered' : this.deliver(orders.messages)
  }

  /** Sends messages to the subscribers of their channels. */
  deliver(messages: readonly StreamMessage[]): Promise<DeliveryOutcome> {
    return this.#deliveries.run(() => this.#deliver(messages))
  }

  /** Closes the connections of these tokens and sessions; null: every connection. */
  async end(tokenIds: readonly TokenId[] | null): Promise<void> {
    for (const connection of this.#connections())
      if (tokenIds === null || tokenIds.includes(connection.client.tokenId))
        connection.end(normalClosure, 'The session has ended')
    await this.#syncPresence()
  }

  /** Closes connections that are no longer allowed. */
  recheck(): Promise<void> {
    return this.#check(this.#connections(), this.#connections())
  }

  override async webSocketMessage(ws: WebSocket, data: string | ArrayBuffer): Promise<void> {
    this.begin().usage.add('objectCalls', 1 / messagesPerCall)
    const socket = this.#socketOf(ws)
    const refusal = this.#refusalOf(socket, data)
    if (refusal === null) return socket.turns.run(() => this.#handleFrame(socket, String(data)))
    socket.end(...refusal)
    await this.#syncPresence()
  }

  override async webSocketClose(ws: WebSocket): Promise<void> {
    this.#socketOf(ws).markGone()
    await this.#syncPresence()
  }

  override async webSocketError(ws: WebSocket): Promise<void> {
    this.#socketOf(ws).markGone()
    await this.#syncPresence()
  }

  async #open(call: ConnectionRequest): Promise<Response> {
    const { 0: outer, 1: inner } = new WebSocketPair()
    this.ctx.acceptWebSocket(inner, [String(this.#accountId)])
    const socket = Socket.open(inner, call.listener, this.begin().clock.now())
    this.#sockets.set(inner, socket)
    if (call.kind === 'feed') socket.add(call.subscription)
    else if (call.asked !== null) await this.#subscribe(socket, call.asked)
    if (!(await this.#admit(socket))) return new Response(null, { status: 401 })
    return new Response(null, { status: 101, webSocket: outer })
  }

  #subscribe(socket: Socket, asked: RequestedStream): Promise<void> {
    return this.#runAction(socket, () => this.#add(socket, asked))
  }

  /**
   * Publishes the presence of a new connection, then checks its token again: a session that ended just before
   * was published to no connection. Closed if presence cannot be stored: the client would receive no events,
   * and not know.
   */
  async #admit(connection: StreamConnection): Promise<boolean> {
    try {
      await this.#syncPresence()
      await this.#check([connection])
      return connection.isOpen
    } catch (failure) {
      connection.end(internalError, 'Try again')
      throw failure
    }
  }

  /** Close code and reason for frames that break a limit, or null. */
  #refusalOf(socket: Socket, data: string | ArrayBuffer): readonly [number, string] | null {
    if (typeof data !== 'string') return [unsupportedData, 'Text only']
    if (data.length > maxFrameLength) return [messageTooBig, 'Too long']
    return socket.hasFrameQuota(this.begin().clock.now()) ? null : [policyViolation, 'Too many messages']
  }

  async #handleFrame(socket: Socket, text: string): Promise<void> {
    const frame = readFrame(text)
    if (frame === null || !socket.isOpen) return
    await this.#runAction(socket, async () => {
      if (frame.type === 'subscribe') await this.#add(socket, frame)
      else socket.remove(parseRequestedStream(frame, socket.client.scopes).id)
      await this.#syncPresence()
    })
  }

  async #add(socket: Socket, asked: RequestedStream): Promise<void> {
    const subscription = await authorizeSubscription(this.begin(), socket.client, asked)
    if (!socket.isOpen || socket.has(subscription.id)) return
    if (!socket.add(subscription)) throw new BadRequest('too_many_streams')
  }

  /**
   * Runs a frame's action. Refusals are sent to the client; failures close the socket, so that the client
   * reconnects.
   */
  async #runAction(socket: Socket, action: () => Promise<void>): Promise<void> {
    const ctx = this.begin()
    try {
      await action()
    } catch (failure) {
      if (failure instanceof AppError && failure.status < 500) {
        socket.sendObject({ error: failure.message, status: failure.status }, ctx.clock.now())
        return
      }
      ctx.log.error('Failed to open a stream', { cause: failure })
      socket.end(internalError, 'Try again')
      await this.#syncPresence()
    }
  }

  async #deliver(messages: readonly StreamMessage[]): Promise<DeliveryOutcome> {
    // A process that was cut off does not publish the end of a session either.
    if (this.#rules.isStale()) {
      await this.#check(this.#connections())
      this.#rules.invalidate()
    }
    const subscribed = this.#subscribedChannels() ?? new Set()
    const relevant = messages.filter(({ channels }) => channels.some((channel) => subscribed.has(channel)))
    if (relevant.length < messages.length) await this.#repairPresence()
    for (const message of relevant)
      for (const channel of message.channels.filter((one) => subscribed.has(one))) {
        const filtered = await this.#rules.filter(message, channel)
        if (filtered === null) continue
        const now = this.begin().clock.now()
        for (const connection of this.#connections())
          connection.send({ ...filtered, channels: [channel] }, now)
      }
    return relevant.length === 0 ? 'noSubscriber' : 'delivered'
  }

  /** Corrects the stored presence once: the row of an earlier object may list connections that broke with it. */
  async #repairPresence(): Promise<void> {
    if (this.#isPresenceRepaired) return
    this.#isPresenceRepaired = true
    await this.#presence.repair(this.begin(), () => this.#subscribedChannels())
  }

  /**
   * Closes connections whose token or session is no longer valid. Reauthorizes those whose client changed, and those in
   * `toReauthorize` in any case.
   */
  async #check(
    connections: readonly StreamConnection[],
    toReauthorize: readonly StreamConnection[] = [],
  ): Promise<void> {
    const ctx = this.begin()
    const idsOf = (kind: StreamClient['kind']) => [
      ...new Set(connections.flatMap(({ client }) => (client.kind === kind ? [client.tokenId] : []))),
    ]
    const wanted = { token: idsOf('token'), session: idsOf('session') }
    const callers = await execute(
      ctx.db,
      combineQueries({
        token: callersByTokenId(ctx, wanted.token),
        session:
          wanted.session.length === 0
            ? constant(new Map<number, Caller>())
            : callersBySessionId(ctx, wanted.session),
      }),
    )
    for (const connection of connections) {
      const { kind, tokenId } = connection.client
      const client = streamClientOf(callers[kind].get(tokenId) ?? null)
      if (client === null) connection.end(normalClosure, 'The session has ended')
      else if (
        toReauthorize.includes(connection) ||
        JSON.stringify(client) !== JSON.stringify(connection.client)
      )
        await this.#reauthorize(ctx, connection, client)
      else continue
      await this.#syncPresence()
    }
  }

  /** Reauthorizes a connection; access to shared feeds, which the operator may restrict, is looked up again. */
  async #reauthorize(ctx: Ctx, connection: StreamConnection, client: StreamClient): Promise<void> {
    const channels = new Map<string, string | null>()
    for (const { id, name } of connection.subscriptions.filter((one) => isTopic(one.id))) {
      const [stream = '', tag = null] = name
      channels.set(id, (await authorizeSubscription(ctx, client, { stream, tag, list: null })).channel)
    }
    connection.reauthorize(client, channels)
  }

  #syncPresence(): Promise<void> {
    return this.#presence.sync(this.begin(), () => this.#subscribedChannels())
  }

  #subscribedChannels(): SubscribedChannels {
    const connections = this.#connections()
    if (connections.length === 0) return null
    const channels = connections.flatMap(({ subscriptions }) => subscriptions.map(({ channel }) => channel))
    return new Set(channels.filter((channel) => channel !== null))
  }

  #connections(): readonly StreamConnection[] {
    return this.ctx
      .getWebSockets()
      .map((ws) => this.#socketOf(ws))
      .filter(({ isOpen }) => isOpen)
  }

  #socketOf(ws: WebSocket): Socket {
    const existing = this.#sockets.get(ws)
    if (existing !== undefined) return existing
    const restored = Socket.wake(ws)
    this.#sockets.set(ws, restored)
    return restored
  }
}

function oldest(connections: readonly StreamConnection[]): StreamConnection | undefined {
  return connections.toSorted((a, b) => a.openedAt - b.openedAt)[0]
}

/** Parses a client's frame; null for unknown ones. */
function readFrame(text: string): Frame | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}
